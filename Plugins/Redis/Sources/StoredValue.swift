#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// An entry in the bytes that the server keeps under its key.
///
/// A value that never expires is kept as it is. Behind one that does stands when, in milliseconds since 1970, although the server
/// knows that as well: so one `GET` answers with both, and they belong together whatever others write meanwhile.
enum StoredValue {
  /// What ends the bytes of a value with a date: no text does, since 0xFF is never part of UTF-8.
  private static let mark: UInt32 = 0xFF53_74FF
  private static let stampSize = 12
  /// The date of a value that has none, and would by its last bytes be taken for one that has.
  private static let never = Int.max

  /// The bytes of a value that expires at a number of milliseconds since 1970, or never.
  static func bytes(_ value: Data, expiry: Int?) -> Data {
    if expiry == nil && !isStamped(value) { return value }
    var bytes = Data(capacity: value.count + stampSize)
    bytes.append(value)
    withUnsafeBytes(of: (expiry ?? never).bigEndian) { bytes.append(contentsOf: $0) }
    withUnsafeBytes(of: mark.bigEndian) { bytes.append(contentsOf: $0) }
    return bytes
  }

  /// The entry in bytes that were read.
  static func entry(_ bytes: Data) -> Entry<Data> {
    guard isStamped(bytes) else { return Entry(object: bytes) }
    let value = bytes.dropLast(stampSize)
    let milliseconds = bytes.suffix(stampSize).prefix(8).reduce(0) { $0 << 8 | Int($1) }
    return Entry(
      object: value, expiry: Expiry(millisecondsSince1970: milliseconds == never ? nil : milliseconds))
  }

  /// Other bytes of the same value's entry: its date, if it has one, stays.
  static func bytes(_ value: Data, replacing bytes: Data) -> Data {
    guard isStamped(bytes) else { return self.bytes(value, expiry: nil) }
    return value + bytes.suffix(stampSize)
  }

  private static func isStamped(_ bytes: Data) -> Bool {
    bytes.withUnsafeBytes { bytes in
      bytes.count >= stampSize
        && bytes.loadUnaligned(fromByteOffset: bytes.count - 4, as: UInt32.self).bigEndian == mark
    }
  }
}

extension Expiry {
  /// The nearest date that the server can keep; `nil` for never.
  func millisecondsSince1970(by clock: StorageClock) -> Int? {
    guard case .date(let date) = resolved(by: clock) else { return nil }
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
    // The server takes no date before 1970, and what is so far away that it cannot be counted is never.
    return milliseconds < 1 ? 1 : Int(exactly: milliseconds)
  }

  init(millisecondsSince1970 milliseconds: Int?) {
    self = milliseconds.map { .date(Date(timeIntervalSince1970: Double($0) / 1000)) } ?? .never
  }
}
