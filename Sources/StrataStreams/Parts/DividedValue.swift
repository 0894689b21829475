#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A value whose bytes are stored in parts, each in a record of its own. The entry of its key contains this description
/// in place of the value.
///
/// | bytes | contents of the description                                          |
/// |-------|----------------------------------------------------------------------|
/// | 8     | `strata`, the version 1, and 0                                       |
/// | 16    | the identity of the value, by which its parts are found              |
/// | 8     | the number of bytes of the value, little-endian                      |
/// | 4     | the number of bytes of each part but the last, little-endian         |
/// | 8     | XXH64 of the bytes before, little-endian                             |
///
/// A part is a record of 8 bytes with a checksum, then up to `partSize` bytes of the value. The checksum is XXH64 of
/// the bytes, with a seed made of the identity and the number of the part: a part of another value, or another part of
/// this one, does not pass for it. Parts never change.
package struct DividedValue: Sendable, Hashable {
  /// The number of bytes of a part. Small enough for every server, large enough that a part costs little beside its
  /// bytes.
  package static let usualPartSize = 256 << 10
  /// The number of bytes before the bytes of a part.
  package static let partHead = 8
  /// The number of bytes of a description.
  package static let descriptionSize = 44
  /// The first bytes of a description.
  package static let mark = Array("strata".utf8) + [1, 0]

  package let id: ValueID
  package let length: Int
  package let partSize: Int

  package init(id: ValueID, length: Int, partSize: Int) {
    (self.id, self.length, self.partSize) = (id, length, partSize)
  }

  /// The number of parts.
  package var partCount: Int { (0..<length).parts(of: partSize).count }

  /// Returns the number of bytes of a part.
  package func size(ofPart number: Int) -> Int { min(partSize, length - number * partSize) }

  // MARK: The description

  /// The description as bytes.
  package var description: Data {
    var bytes = Data(Self.mark + id.bytes)
    bytes.append(littleEndian: UInt64(length))
    bytes.append(littleEndian: UInt32(partSize))
    bytes.append(littleEndian: bytes.withUnsafeBytes { XXH64.hash($0) })
    return bytes
  }

  /// Reads a description. Throws `.malformedFileAttributes` if it is damaged.
  package init(reading bytes: UnsafeRawBufferPointer) throws(StorageError) {
    guard bytes.count == Self.descriptionSize, bytes.starts(with: Self.mark),
      XXH64.hash(bytes.part(..<36)) == bytes.number(at: 36), let id = ValueID(bytes.part(8..<24)),
      let length = Int(exactly: bytes.number(at: 24) as UInt64),
      case let size = Int(bytes.number(at: 32) as UInt32), size > 0
    else {
      throw .malformedFileAttributes.with(
        "the description of a value that is stored in parts is damaged; remove the entry, or store it again")
    }
    self.init(id: id, length: length, partSize: size)
  }

  /// Reads a description. Throws `.malformedFileAttributes` if it is damaged.
  package init(reading data: Data) throws {
    self = try data.withUnsafeBytes { try Self(reading: $0) }
  }

  // MARK: Parts

  /// Returns the beginning of a record, with room for a part of that size.
  static func emptyRecord(_ size: Int) -> Data {
    var record = Data(capacity: partHead + size)
    record.append(contentsOf: repeatElement(0, count: partHead))
    return record
  }

  /// Writes the checksum of a part into its record.
  static func seal(_ record: inout Data, number: Int, of id: ValueID) {
    let sum = record.withUnsafeBytes { checksum($0.part(partHead...), number, id) }
    record.withUnsafeMutableBytes { $0.put(sum, at: 0) }
  }

  /// Returns the record of a part of a value that is in memory.
  package func record(_ number: Int, of value: Data) -> Data {
    var record = Self.emptyRecord(size(ofPart: number))
    record.append(value.dropFirst(number * partSize).prefix(partSize))
    Self.seal(&record, number: number, of: id)
    return record
  }

  /// Returns the bytes of a part in its record. Throws `.malformedFileAttributes` if they are damaged.
  private func checked(_ record: UnsafeRawBufferPointer, _ number: Int) throws(StorageError)
    -> UnsafeRawBufferPointer
  {
    if record.count == Self.partHead + size(ofPart: number) {
      let bytes = record.part(Self.partHead...)
      if record.number(at: 0) == Self.checksum(bytes, number, id) { return bytes }
    }
    throw .malformedFileAttributes.with(
      "part \(number + 1) of the \(partCount) parts of the value is damaged; remove the entry, or store it again"
    )
  }

  private static func checksum(_ bytes: UnsafeRawBufferPointer, _ number: Int, _ id: ValueID) -> UInt64 {
    XXH64.hash(bytes, seed: id.high ^ id.low &* 31 &+ UInt64(number))
  }

  /// Returns the bytes of parts, or `nil` if one is not stored. Throws if one is damaged.
  ///
  /// - Parameter withRecord: calls `body` with the record of a part, and returns whether there is one.
  package func assembled(
    _ numbers: Range<Int>,
    _ withRecord: (_ number: Int, _ body: (UnsafeRawBufferPointer) throws -> Void) throws -> Bool
  ) throws -> Data? {
    var data = Data(capacity: numbers.reduce(0) { $0 + size(ofPart: $1) })
    for number in numbers {
      let isStored = try withRecord(number) { record in
        data.append(contentsOf: try checked(record, number))
      }
      if !isStored { return nil }
    }
    return data
  }

  /// Returns the bytes of parts from their records, or `nil` if one is missing.
  package func assembled(_ numbers: Range<Int>, _ records: [Data?]) throws -> Data? {
    try assembled(numbers) { number, body in
      let index = number - numbers.lowerBound
      guard records.indices.contains(index), let record = records[index] else { return false }
      try record.withUnsafeBytes(body)
      return true
    }
  }

  /// The error for a stored value of which a part is missing.
  package var incomplete: StorageError {
    .malformedFileAttributes.with(
      "one of the \(partCount) parts of the value is missing; remove the entry, or store it again")
  }
}
