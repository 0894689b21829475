#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// The keys of a store's records in a family.
///
/// | key                                                  | record                                   |
/// |------------------------------------------------------|------------------------------------------|
/// | `=`, the text of the key                             | the entry, see `Record`                  |
/// | `>`, hour (4 bytes, big-endian), the text of the key | the date at which it expires, as in `Record` |
///
/// The text is in UTF-8, in Unicode's normalisation form C. The hour is counted from 1970. So the next deadlines come
/// first, and a key that is overwritten often, each time with a new expiry, leaves at most one record per hour.
enum RecordKey {
  static let entry: UInt8 = 0x3D
  static let deadline: UInt8 = 0x3E
  /// The first byte after the range of all records.
  static let end: UInt8 = 0x3F
  /// The number of bytes before the text in a deadline's key.
  static let deadlineHead = 5

  /// Returns the record key of an entry.
  static func entry(_ key: some StorageKey) -> [UInt8] { withEntry(key) { Array($0) } }

  /// Passes the record key of an entry to `body`. A short one is on the stack.
  @inline(__always)
  static func withEntry<R>(
    _ key: some StorageKey, _ body: (UnsafeRawBufferPointer) throws -> R
  ) rethrows -> R {
    try key.storageKey.withCanonicalUTF8 { try withHead($0, body) }
  }

  /// Passes the first key of all records, and the first key after them, to `body`: one byte each.
  static func withBounds<R>(_ body: (UnsafePointer<CChar>, UnsafePointer<CChar>) throws -> R) rethrows -> R {
    var (first, after) = (CChar(entry), CChar(end))
    return try body(&first, &after)
  }

  private static func withHead<R>(
    _ text: UnsafeBufferPointer<UInt8>, _ body: (UnsafeRawBufferPointer) throws -> R
  ) rethrows -> R {
    try withUnsafeTemporaryAllocation(byteCount: text.count + 1, alignment: 1) { room in
      room[0] = entry
      UnsafeMutableRawBufferPointer(rebasing: room[1...]).copyMemory(from: UnsafeRawBufferPointer(text))
      return try body(UnsafeRawBufferPointer(room))
    }
  }

  /// Returns the key of an entry's deadline, or `nil` if the date is never reached.
  static func deadline(_ date: Date, ofEntry key: UnsafeRawBufferPointer) -> [UInt8]? {
    guard let hour = hour(date) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(key.count - 1 + deadlineHead)
    bytes.append(deadline)
    withUnsafeBytes(of: hour.bigEndian) { bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: key.dropFirst())
    return bytes
  }

  /// Returns the key of the entry that a deadline's key refers to, or `nil` if it is no such key.
  static func entry(ofDeadline key: UnsafeRawBufferPointer) -> [UInt8]? {
    guard key.count >= deadlineHead, key[0] == deadline else { return nil }
    return [entry] + key.dropFirst(deadlineHead)
  }

  /// Returns the beginning of the hour in a deadline's key, or `nil` if it is no such key.
  static func hour(ofDeadline key: UnsafeRawBufferPointer) -> Date? {
    guard key.count >= deadlineHead, key[0] == deadline else { return nil }
    let hour = UInt32(bigEndian: key.loadUnaligned(fromByteOffset: 1, as: UInt32.self))
    return Date(timeIntervalSince1970: Double(hour) * 3600)
  }

  /// Returns the hour of a date, counted from 1970; earlier dates count as the first hour. Returns `nil` for NaN and
  /// for dates beyond four bytes of hours, half a million years.
  private static func hour(_ date: Date) -> UInt32? {
    let hours = (date.timeIntervalSince1970 / 3600).rounded(.down)
    return hours < 0 ? 0 : UInt32(exactly: hours)
  }
}
