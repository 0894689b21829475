#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// The parts of a value that was written as a stream: the file that contains the value and nothing else, and a checksum
/// for each part. It is the value of a record of the kind `.parts`, and of an entry's file of version 3.
///
/// All numbers are unsigned and little-endian.
///
/// | bytes  | contents                                                                                          |
/// |--------|---------------------------------------------------------------------------------------------------|
/// | 0–7    | number of the file, which is in its name                                                          |
/// | 8–15   | length of the file, which is the length of the value                                              |
/// | 16–23  | P, the length of each part but the last one, which may be shorter                                 |
/// | 24–    | the checksum of each part, 8 bytes each: its XXH3, or the XXH64 of a part of less than 4096 bytes |
///
/// The checksums are here and not in the file, so that the file can be given to any program.
struct PartTable: Equatable, Sendable {
  static let headerSize = 24
  /// The length of the parts of new files.
  static let partLength = 1 << 20
  private static let longPart = 4096

  let number: UInt64
  /// The bytes of the file.
  let length: Int
  let partLength: Int
  let sums: [UInt64]

  init(number: UInt64, length: Int, partLength: Int = Self.partLength, sums: [UInt64]) {
    self.number = number
    self.length = length
    self.partLength = partLength
    self.sums = sums
  }

  /// Returns the table of the same value in a file with a new number.
  func renumbered() -> PartTable {
    PartTable(number: .random(in: .min ... .max), length: length, partLength: partLength, sums: sums)
  }

  /// Returns the bytes that the table of a value takes.
  static func size(of length: Int) -> Int { headerSize + 8 * (0..<length).parts(of: partLength).count }

  /// Returns the checksum of a part.
  static func sum(_ part: UnsafeRawBufferPointer) -> UInt64 {
    part.count >= longPart ? XXH3.hash(part) : XXH64.hash(part)
  }

  static func sum(of part: Data) -> UInt64 { part.withUnsafeBytes { sum($0) } }

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.headerSize + 8 * sums.count)
    bytes.append(littleEndian: number)
    bytes.append(littleEndian: UInt64(length))
    bytes.append(littleEndian: UInt64(partLength))
    for sum in sums { bytes.append(littleEndian: sum) }
    return bytes
  }

  /// Reads a table; `nil` if its numbers are impossible.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= Self.headerSize else { return nil }
    let length: UInt64 = bytes.number(at: 8)
    let partLength: UInt64 = bytes.number(at: 16)
    // Bounds far below any overflow. A part is read into memory.
    guard length < 1 << 60, partLength > 0, partLength <= 1 << 30 else { return nil }
    let count = (length + partLength - 1) / partLength
    guard UInt64(bytes.count - Self.headerSize) == 8 * count else { return nil }
    number = bytes.number(at: 0)
    self.length = Int(length)
    self.partLength = Int(partLength)
    sums = (0..<Int(count)).map { bytes.number(at: Self.headerSize + 8 * $0) }
  }

  /// Returns the bytes of the value that a part contains.
  func range(of part: Int) -> Range<Int> { part * partLength..<min((part + 1) * partLength, length) }
}
