#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// The keys under which an engine holds the parts of values.
///
/// | key                                                    | record                                                  |
/// |--------------------------------------------------------|--------------------------------------------------------|
/// | `?`, identity of the value (16 bytes), number (4)      | a part, see `DividedValue`                              |
/// | `@`, 0, identity                                       | empty: the parts belong to nobody, and are to be removed|
/// | `@`, 1, identity                                       | seconds since 1970 (8): the value was being written then|
/// | `@`, 2, identity                                       | the key of the entry that has the value                 |
///
/// Numbers are big-endian.
enum PartKey {
  static let part: UInt8 = 0x3F
  static let owner: UInt8 = 0x40
  /// The end of the range of all records, with those of entries.
  static let end: [UInt8] = [0x41]

  static func part(_ number: Int, of id: ValueID) -> [UInt8] {
    [part] + id.bytes + withUnsafeBytes(of: UInt32(clamping: number).bigEndian) { Array($0) }
  }

  static func nobody(_ id: ValueID) -> [UInt8] { [owner, 0] + id.bytes }
  static func writer(_ id: ValueID) -> [UInt8] { [owner, 1] + id.bytes }
  static func entry(_ id: ValueID) -> [UInt8] { [owner, 2] + id.bytes }

  /// Returns the record of a writer.
  static func record(_ date: Date) -> Data {
    withUnsafeBytes(of: date.timeIntervalSince1970.bitPattern.bigEndian) { Data($0) }
  }

  /// Returns the date in the record of a writer.
  static func date(_ record: UnsafeRawBufferPointer) -> Date? {
    guard record.count == 8 else { return nil }
    return Date(
      timeIntervalSince1970: Double(bitPattern: UInt64(bigEndian: record.loadUnaligned(as: UInt64.self))))
  }
}
