#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif
public import StrataCore

/// A compression, by zlib or by the library of a plugin.
///
/// ```swift
/// // Writes with level 9, and reads what any level of zlib wrote.
/// let small = Transformer.codable(City.self).compressed(by: .zlib(level: 9))
/// ```
public struct Compression: Sendable {
  /// The implementation of a compression, which a plugin provides for its library.
  package protocol Codec: Sendable {
    /// Returns the compressed bytes, or `nil` if they would not be smaller.
    func compress(_ data: Data) throws -> Data?
    /// Returns the original bytes. Throws `StorageError.tooLarge`, before allocating memory for them, if there are more
    /// than `maximumSize`.
    func decompress(_ data: Data, maximumSize: Int) throws -> Data
    /// Returns whether the bytes are of this format, as far as their beginning shows.
    func recognizes(_ data: Data) -> Recognition
  }

  /// The result of examining the first bytes of a value.
  package enum Recognition {
    /// The bytes are of another format.
    case foreign
    /// The bytes are of this format, but something is missing, for example a dictionary. Reading them throws the
    /// reason.
    case unreadable
    /// The bytes are of this format.
    case readable
  }

  /// The default maximum size of a value for compressors: 256 MiB.
  ///
  /// A chain holds a value whole in memory, so larger values are rarely useful, and a payload that expands to this size
  /// leaves even a small machine running. Without a limit, 1 MB of hostile payload could take gigabytes of memory.
  public static let maximumSize = 256 << 20

  /// The name of the format. Two compressions that can read each other's output have the same name.
  let name: String
  let codec: any Codec

  package init(_ name: String, _ codec: some Codec) {
    self.name = name
    self.codec = codec
  }
}

extension ByteTransformer {
  /// Returns a transformer that compresses with one library, and can read the output of others.
  ///
  /// ```swift
  /// // Writes LZ4, and still reads what an earlier version has written by zlib.
  /// let bytes = ByteTransformer.compressed(by: .lz4(), reading: [.zlib()])
  /// ```
  ///
  /// Bytes that compression would not shrink are stored unchanged after one byte, 0xff. Every compressing transformer
  /// reads such values. Formats are distinguished by their first bytes. If no format recognizes the bytes, the error is
  /// the one that `writing` throws.
  ///
  /// - Parameters:
  ///   - writing: the compression of new values. It reads its own output too.
  ///   - reading: further compressions to read, so that a store migrates to another library with each write.
  ///   - maximumSize: the maximum size of a value in bytes. A larger value throws `StorageError.tooLarge`, both on
  ///     writing, since it could not be read again, and on reading, since the payload may be hostile.
  public static func compressed(
    by writing: Compression, reading: [Compression] = [], maximumSize: Int = Compression.maximumSize
  ) -> ByteTransformer {
    let readable = [writing] + reading
    return ByteTransformer(
      format: ByteFormat(readable.map(\.name).joined(separator: "|")),
      encode: { data in
        guard data.count <= maximumSize else { throw tooLarge(data.count, maximumSize, writing) }
        return try writing.codec.compress(data) ?? StoredBytes.marked(data)
      },
      decode: { data in
        if StoredBytes.recognizes(data) {
          guard data.count - 1 <= maximumSize else { throw tooLarge(data.count - 1, maximumSize, writing) }
          return StoredBytes.unmarked(data)
        }
        return try reader(of: data, among: readable).codec.decompress(data, maximumSize: maximumSize)
      })
  }

  private static func tooLarge(_ count: Int, _ maximum: Int, _ compression: Compression) -> StorageError {
    .tooLarge.with(
      "\(compression.name): the value has \(count) bytes; the limit is \(maximum)")
  }

  /// Returns the first compression that can read the bytes, else the first that recognizes them, else the writing one.
  private static func reader(of data: Data, among readable: [Compression]) -> Compression {
    guard readable.count > 1 else { return readable[0] }
    var fallback: Compression?
    for compression in readable {
      switch compression.codec.recognizes(data) {
      case .readable: return compression
      case .unreadable: fallback = fallback ?? compression
      case .foreign: break
      }
    }
    return fallback ?? readable[0]
  }
}

extension Transformer {
  /// Returns this transformer with its bytes compressed; see `ByteTransformer.compressed(by:reading:maximumSize:)`.
  public func compressed(
    by writing: Compression, reading: [Compression] = [], maximumSize: Int = Compression.maximumSize
  ) -> Self {
    then(.compressed(by: writing, reading: reading, maximumSize: maximumSize))
  }
}

/// Bytes that compression would not shrink, after a mark with which no compressed bytes begin. The mark differs from
/// the first bytes of zlib, zstd and LZ4 in at least four bits, so that a flipped bit does not turn one kind of value
/// into the other.
private enum StoredBytes {
  private static let mark: UInt8 = 0xff

  static func recognizes(_ data: Data) -> Bool { data.first == mark }

  static func marked(_ data: Data) -> Data {
    var bytes = Data(capacity: data.count + 1)
    bytes.append(mark)
    bytes.append(data)
    return bytes
  }

  /// Returns a copy without the mark: a slice would retain the mark, and its indices would not begin at zero.
  static func unmarked(_ data: Data) -> Data { Data(data.dropFirst()) }
}

/// Why bytes could not be compressed or read, or why a dictionary cannot be used: the cause of a compressor's
/// `StorageError`s.
///
/// ```swift
/// do {
///   _ = try users.object(forKey: "ada")
/// } catch let error as StorageError where (error.cause as? CompressionError)?.code == .damaged {
///   try users.removeObject(forKey: "ada")
/// }
/// ```
public struct CompressionError: Error, Sendable {
  /// The kind of failure.
  public let code: Code
  /// A readable sentence: what failed, and what to do about it.
  public let message: String
  /// The underlying error.
  public let cause: (any Error)?

  /// Creates an error.
  package init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// A kind of failure.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name of the code, as in `CompressionError.Code`.
    public let description: String

    init(_ name: String) { description = name }

    /// The bytes are truncated, changed, followed by other bytes, or of another format.
    public static let damaged = Code("damaged")
    /// The bytes need a dictionary that is unknown. The message names it.
    public static let unknownDictionary = Code("unknownDictionary")
    /// The bytes of a dictionary are damaged, are not a dictionary, or are another dictionary than expected.
    public static let invalidDictionary = Code("invalidDictionary")
    /// No dictionary could be trained: the samples are too few, too short, or have nothing in common.
    public static let trainingFailed = Code("trainingFailed")
    /// The library failed, for example for lack of memory.
    public static let libraryFailed = Code("libraryFailed")
  }
}

extension CompressionError: CustomStringConvertible {
  /// The code, the message and the cause in one line.
  public var description: String {
    "\(code): \(message)" + (cause.map { " [because: \($0)]" } ?? "")
  }
}

extension StorageError {
  /// Returns the store's error for a failure of a compressor, with that failure as the cause.
  package static func compression(_ error: CompressionError) -> StorageError {
    .transformerFail.with(error.message, cause: error)
  }
}
