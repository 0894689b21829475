#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// The keys under which a family holds the records of a store.
///
/// | key                                                  | record                                   |
/// |------------------------------------------------------|------------------------------------------|
/// | `=`, the text of the key                             | the entry, see `Record`                  |
/// | `>`, hour (4 bytes, big-endian), the text of the key | the date at which it expires, as in `Record` |
///
/// The text is in UTF-8, in Unicode's normalisation form C. The hour is that of the date, counted from 1970. So what
/// expires next stands first, and a key that is written again and again, each time with a new expiry, leaves behind no
/// more than one record an hour.
enum RecordKey {
  static let entry: UInt8 = 0x3D
  static let deadline: UInt8 = 0x3E
  /// The first byte after those of all records: together they are one range.
  static let end: UInt8 = 0x3F
  /// How many bytes of a deadline's key stand before the text.
  static let deadlineHead = 5

  /// The key of the entry with a text.
  static func entry(_ key: some StorageKey) -> [UInt8] { withEntry(key) { Array($0) } }

  /// Lends the key of the entry with a text, which is on the stack if it is short.
  @inline(__always)
  static func withEntry<R>(
    _ key: some StorageKey, _ body: (UnsafeRawBufferPointer) throws -> R
  ) rethrows -> R {
    try key.storageKey.withCanonicalUTF8 { try withHead($0, body) }
  }

  /// Lends the first key of all records, and the first after them, of one byte each.
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

  /// The key of the deadline of an entry with a certain key; `nil` if the date is never reached.
  static func deadline(_ date: Date, ofEntry key: UnsafeRawBufferPointer) -> [UInt8]? {
    guard let hour = hour(date) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(key.count - 1 + deadlineHead)
    bytes.append(deadline)
    withUnsafeBytes(of: hour.bigEndian) { bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: key.dropFirst())
    return bytes
  }

  /// The key of the entry to which the key of a deadline belongs; `nil` if it is no such key.
  static func entry(ofDeadline key: UnsafeRawBufferPointer) -> [UInt8]? {
    guard key.count >= deadlineHead, key[0] == deadline else { return nil }
    return [entry] + key.dropFirst(deadlineHead)
  }

  /// The beginning of the hour in the key of a deadline; `nil` if it is no such key.
  static func hour(ofDeadline key: UnsafeRawBufferPointer) -> Date? {
    guard key.count >= deadlineHead, key[0] == deadline else { return nil }
    let hour = UInt32(bigEndian: key.loadUnaligned(fromByteOffset: 1, as: UInt32.self))
    return Date(timeIntervalSince1970: Double(hour) * 3600)
  }

  /// The hour of a date, counted from 1970, with all before in the first; `nil` for a date that is no number, or
  /// farther away than four bytes can count hours, which is half a million years.
  private static func hour(_ date: Date) -> UInt32? {
    let hours = (date.timeIntervalSince1970 / 3600).rounded(.down)
    return hours < 0 ? 0 : UInt32(exactly: hours)
  }
}
