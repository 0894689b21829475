#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The bytes of a stored value, which are read a part at a time.
///
/// ```swift
/// let film = try await films.read(forKey: "intro")
/// print(film.length, film.expiry)
/// for try await part in film { try send(part) }
/// ```
///
/// All parts belong to one value, even if the key is written or removed meanwhile: the sequence returns the rest of the
/// old value, or throws. A damaged part throws, and the parts before it are correct. Each iteration reads the store
/// again, so several tasks can iterate at their own pace.
///
/// A part has as many bytes as suits the store, in most stores up to 1 MiB. Memory is needed for a few parts only,
/// unless the store cannot read parts (`StoreTraits.keepsParts`).
public struct StoredBytes: AsyncSequence, Sendable {
  /// A part of the value. It is never empty.
  public typealias Element = Data
  /// The error of the store.
  public typealias Failure = any Error
  /// Returns the next part of a range, or `nil` after the last one.
  package typealias Parts = () async throws -> Data?

  /// The number of bytes of the whole value.
  public let length: Int
  /// The bytes of the value that the sequence returns.
  public let range: Range<Int>
  /// The expiry of the value.
  public private(set) var expiry: Expiry
  /// A text that two different values of a key never have in common, such as an entity tag; `nil` if the store has
  /// none.
  public let version: String?
  /// The time of the last write; `nil` if the store does not keep it.
  public let modified: Date?
  /// Returns the file in which the bytes of the value lie, and nothing else; `nil` if there is none.
  package let file: (@Sendable () async throws -> StoredFile)?
  private let open: @Sendable (Range<Int>) async throws -> Parts

  /// Creates the bytes of a value from sequences, for the author of a store or the source of a download.
  ///
  /// ```swift
  /// let bytes = StoredBytes(length: size) { range in
  ///   AsyncThrowingStream(unfolding: try archive.reader(of: range).next)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - length: the number of bytes of the whole value.
  ///   - range: the bytes to return, by default all. The part of it that lies behind the end is ignored.
  ///   - expiry: the expiry of the value.
  ///   - version: a text that no other value of the key has.
  ///   - modified: the time of the last write, if it is known.
  ///   - file: returns the file in which the bytes lie. Called when a user asks for it. Throws `.notFound` if the value
  ///     has been replaced or removed meanwhile.
  ///   - bytes: begins to read a range, which is not empty and lies in the value. It is called for each iteration.
  public init<Bytes: AsyncSequence & Sendable>(
    length: Int, range: Range<Int>? = nil, expiry: Expiry = .never, version: String? = nil,
    modified: Date? = nil, file: (@Sendable () async throws -> StoredFile)? = nil,
    bytes: @escaping @Sendable (_ range: Range<Int>) async throws -> Bytes
  ) where Bytes.Element == Data {
    self.init(
      length: length, range: range, expiry: expiry, version: version, modified: modified, file: file,
      open: { range in
        var iterator = try await bytes(range).makeAsyncIterator()
        return { try await iterator.next(isolation: #isolation) }
      })
  }

  /// Creates the bytes of a value.
  ///
  /// - Parameter open: begins to read a range, which is not empty and lies in the value. It is called for each
  ///   iteration. The function that it returns is called by one task at a time, until it returns `nil` or throws.
  package init(
    length: Int, range: Range<Int>? = nil, expiry: Expiry = .never, version: String? = nil,
    modified: Date? = nil, file: (@Sendable () async throws -> StoredFile)? = nil,
    open: @escaping @Sendable (_ range: Range<Int>) async throws -> Parts
  ) {
    self.length = length
    self.range = (range ?? 0..<length).clamped(to: 0..<length)
    self.expiry = expiry
    self.version = version
    self.modified = modified
    self.file = file
    self.open = open
  }

  /// Creates the bytes of a value that is in memory.
  public init(_ data: Data, range: Range<Int>? = nil, expiry: Expiry = .never, version: String? = nil) {
    self.init(length: data.count, range: range, expiry: expiry, version: version) { range in
      var rest = data.dropFirst(range.lowerBound).prefix(range.count)
      return {
        let part = rest.prefix(Self.partSize)
        rest = rest.dropFirst(part.count)
        return part.isEmpty ? nil : part
      }
    }
  }

  /// The number of bytes of a part, where nothing else suggests another one.
  public static let partSize = 1 << 20

  /// Returns whether the value has not expired.
  package func isLive(by clock: StorageClock) -> Bool { !expiry.isExpired(by: clock) }

  /// Returns the bytes of another range of the same value.
  public func reading(_ range: Range<Int>) -> StoredBytes {
    StoredBytes(
      length: length, range: range, expiry: expiry, version: version, modified: modified, file: file,
      open: open)
  }

  /// Returns the bytes of another range of the same value, or all.
  package func reading(_ range: Range<Int>?) -> StoredBytes { reading(range ?? 0..<length) }

  /// Returns all bytes of the range in memory.
  public func data() async throws -> Data {
    var data = Data()
    for try await part in self {
      if data.isEmpty, part.count == range.count { return part }
      if data.isEmpty { data.reserveCapacity(range.count) }
      data.append(part)
    }
    return data
  }

  /// Returns an iterator, which reads the range from its beginning.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// Returns the same bytes with another expiry.
  package func expiring(_ expiry: Expiry) -> StoredBytes {
    var copy = self
    copy.expiry = expiry
    return copy
  }

  /// An iterator over the parts of a value.
  public struct Iterator: AsyncIteratorProtocol {
    private let bytes: StoredBytes
    private var parts: Parts?
    private var rest: Int

    fileprivate init(_ bytes: StoredBytes) {
      self.bytes = bytes
      rest = bytes.range.count
    }

    /// Returns the next part, or `nil` after the last one. Throws if a part is missing or damaged, and then always
    /// `nil`.
    public mutating func next() async throws -> Data? {
      if rest == 0 { return nil }
      do {
        try Task.checkCancellation()
        let parts: Parts
        if let open = self.parts { parts = open } else { parts = try await bytes.open(bytes.range) }
        self.parts = parts
        guard let part = try await parts(), !part.isEmpty, part.count <= rest else {
          throw StorageError.malformedFileAttributes.with(
            "\(rest) of \(bytes.range.count) bytes of the value could not be read: the store returned too few or too many"
          )
        }
        rest -= part.count
        if rest == 0 { self.parts = nil }
        return part
      } catch {
        rest = 0
        parts = nil
        throw error
      }
    }
  }
}
