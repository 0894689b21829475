#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A transformation of the bytes of a value, which is applied to each part of a streamed value.
package struct PartCoder: Sendable {
  let encode: @Sendable (Data) throws -> Data
  let decode: @Sendable (Data) throws -> Data

  package init(
    encode: @escaping @Sendable (Data) throws -> Data, decode: @escaping @Sendable (Data) throws -> Data
  ) {
    self.encode = encode
    self.decode = decode
  }

  /// Returns a whole value, transformed back, whether it was streamed or not.
  package func decodeWhole(_ data: Data) throws -> Data {
    try PartedFormat.isParted(data) ? PartedFormat.decode(data, by: decode) : decode(data)
  }

  /// Returns a whole value transformed, in parts if the bytes that it replaces are.
  package func encodeWhole(_ data: Data, as former: Data) throws -> Data {
    try PartedFormat.isParted(former) ? PartedFormat.encode(data, by: encode) : encode(data)
  }

  /// Returns the transformed bytes of a value from its first part on, which was transformed first.
  package static func firstPart(of data: Data) -> Data {
    PartedFormat.isParted(data) ? data.dropFirst(PartedFormat.headSize) : data
  }

  /// Returns the bytes of a value whose transformed bytes `open` returns. A value that was not streamed is read into
  /// memory.
  ///
  /// The index is read before any part. If the value is replaced meanwhile, the new one is opened.
  package func reading(
    _ range: Range<Int>?, of open: () async throws -> StoredBytes?
  ) async throws -> StoredBytes? {
    while true {
      guard let bytes = try await open() else { return nil }
      do { return try await reading(bytes, range) } catch let error as StorageError
        where error.isOfReplacement
      {
        try Task.checkCancellation()
      }
    }
  }

  private func reading(_ bytes: StoredBytes, _ range: Range<Int>?) async throws -> StoredBytes {
    let head = try await bytes.reading(0..<PartedFormat.headSize).data()
    guard PartedFormat.isParted(head) else {
      let value = try await decode(bytes.reading(0..<bytes.length).data())
      return StoredBytes(value, range: range, expiry: bytes.expiry, version: bytes.version)
    }
    let index = try await index(of: bytes, head)
    return StoredBytes(
      length: index.length, range: range, expiry: bytes.expiry, version: bytes.version,
      modified: bytes.modified
    ) { range in parts(of: bytes, index, range) }
  }

  private func index(of bytes: StoredBytes, _ head: Data) async throws -> PartedIndex {
    // Enough for the index of some 4 GiB.
    var tail = try await bytes.reading(max(0, bytes.length - 80 << 10)..<bytes.length).data()
    if let size = try PartedIndex.size(ofTail: tail, length: bytes.length), size > tail.count {
      tail = try await bytes.reading((bytes.length - size)..<bytes.length).data()
    }
    return try PartedIndex(head: head, tail: tail, length: bytes.length, by: decode)
  }

  private func parts(of bytes: StoredBytes, _ index: PartedIndex, _ range: Range<Int>) -> StoredBytes.Parts {
    let numbers = range.parts(of: index.partSize)
    var number = numbers.lowerBound
    let last = numbers.upperBound - 1
    // A range up to the end reads the index too: a tier that stores the bytes meanwhile gets all of them.
    let end = last == index.count - 1 ? bytes.length : index.range(of: last).upperBound
    // So does a range from the beginning with the head.
    let start = number == 0 ? 0 : index.range(of: number).lowerBound
    var source = Collected(bytes.reading(start..<end))
    var skipped = number == 0 ? PartedFormat.headSize : 0
    return {
      if number > last { return nil }
      if skipped > 0 { _ = try await source.take(skipped) }
      skipped = 0
      let part = try await index.part(number, source.take(index.range(of: number).count), by: decode)
      let start = number * index.partSize
      number += 1
      if number > last { try await source.drain() }
      let wanted = range.clamped(to: start..<start + part.count)
      return part.dropFirst(wanted.lowerBound - start).prefix(wanted.count)
    }
  }
}

/// Bytes in parts of any size, taken in parts of the wanted size.
struct Collected {
  private var source: StoredBytes.Iterator
  private var rest = Data()

  init(_ bytes: StoredBytes) { source = bytes.makeAsyncIterator() }

  /// Returns the next bytes. Throws if there are fewer. Only bytes of two parts of the source are copied.
  mutating func take(_ count: Int) async throws -> Data {
    if rest.count < count {
      // A new buffer: an append to a slice would keep the bytes before it.
      var taken = Data(capacity: count)
      taken.append(rest)
      rest = Data()
      while taken.count < count {
        guard let part = try await source.next() else { throw PartedFormat.damaged("bytes are missing") }
        let more = part.prefix(count - taken.count)
        taken.append(more)
        rest = part.dropFirst(more.count)
      }
      return taken
    }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  /// Reads the remaining bytes.
  mutating func drain() async throws { while try await source.next() != nil {} }
}
