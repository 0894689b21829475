#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// The keys under which an engine holds the records of a store.
///
/// | key                                        | record                                            |
/// |--------------------------------------------|---------------------------------------------------|
/// | `=`, the name                              | the entry, see `EngineRecord`                     |
/// | `>`, hour (4 bytes, big-endian), the name  | the date at which it expires, as in `EngineRecord` |
/// | `?` and `@`                                | parts of values, see `PartKey`                    |
///
/// The name is the text of the key in UTF-8, in Unicode's normalisation form C. A name that would be too long for the
/// engine is replaced by the byte `FF`, which never occurs in UTF-8, and the SHA-256 of the text. The record then
/// contains the text. Hours are counted from 1970, so the earliest deadline comes first. A key that is written
/// repeatedly, each time with a new expiry, leaves at most one record of a deadline per hour.
struct EngineKey: Sendable {
  static let entry: UInt8 = 0x3D
  static let deadline: UInt8 = 0x3E
  /// The end of the range of all records: their keys begin with lower bytes.
  static let end: UInt8 = 0x3F
  /// The number of bytes before the name in the key of a deadline.
  static let deadlineHead = 5
  private static let hashed: UInt8 = 0xFF

  /// The key of the entry.
  let bytes: [UInt8]
  /// The text of a key that is too long for the engine.
  let text: [UInt8]?

  init(_ key: some StorageKey, longest: Int) {
    (bytes, text) = key.storageKey.withCanonicalUTF8 { utf8 in
      if utf8.count <= longest - Self.deadlineHead {
        // Concatenating arrays would allocate twice.
        let bytes = [UInt8](unsafeUninitializedCapacity: utf8.count + 1) { bytes, count in
          bytes[0] = Self.entry
          count = 1 + UnsafeMutableBufferPointer(rebasing: bytes[1...]).initialize(fromContentsOf: utf8)
        }
        return (bytes, nil)
      }
      let text = Array(utf8)
      return ([Self.entry, Self.hashed] + SHA256.hash(text), text)
    }
  }

  /// The number of bytes that count against a limit.
  var size: Int { text?.count ?? bytes.count - 1 }

  /// Returns the text of a key from its bytes, or from its record if it is too long for the engine; `nil` if neither
  /// has it.
  static func text(ofEntry key: UnsafeRawBufferPointer, _ record: EngineRecord) -> String? {
    let name = key.part(1...)
    if name.first == hashed { return record.text.flatMap { String(validating: $0, as: UTF8.self) } }
    return String(validating: name, as: UTF8.self)
  }

  /// Returns the key of the deadline of an entry; `nil` if the date is never reached.
  static func deadline(_ date: Date, ofEntry key: some Collection<UInt8>) -> [UInt8]? {
    guard let hour = hour(date) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(key.count - 1 + deadlineHead)
    bytes.append(deadline)
    withUnsafeBytes(of: hour.bigEndian) { bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: key.dropFirst())
    return bytes
  }

  /// Returns the key of the entry that a deadline belongs to; `nil` if these bytes are no key of a deadline.
  static func entry(ofDeadline key: UnsafeRawBufferPointer) -> [UInt8]? {
    guard key.count >= deadlineHead, key[0] == deadline else { return nil }
    return [entry] + key.dropFirst(deadlineHead)
  }

  /// Returns the beginning of the hour in the key of a deadline; `nil` if these bytes are no such key.
  static func hour(ofDeadline key: UnsafeRawBufferPointer) -> Date? {
    guard key.count >= deadlineHead, key[0] == deadline else { return nil }
    let hour = UInt32(bigEndian: key.loadUnaligned(fromByteOffset: 1, as: UInt32.self))
    return Date(timeIntervalSince1970: Double(hour) * 3600)
  }

  /// Returns the hour of a date, counted from 1970; earlier dates are in hour 0. Returns `nil` for a NaN, and for dates
  /// half a million years from now, whose hour does not fit into four bytes.
  private static func hour(_ date: Date) -> UInt32? {
    let hours = (date.timeIntervalSince1970 / 3600).rounded(.down)
    return hours < 0 ? 0 : UInt32(exactly: hours)
  }
}
