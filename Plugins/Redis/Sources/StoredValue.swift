#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// An entry in the bytes that the server keeps under its key.
///
/// A value is kept as it is, so that other programs can read it; when it expires, only the server knows. Earlier
/// versions of this store have put a date behind values that expire, and it is still read: twelve bytes, of which the
/// last four end no text.
enum StoredValue {
  /// What ends the bytes of a value with a date: no text does, since 0xFF is never part of UTF-8.
  private static let mark: UInt32 = 0xFF53_74FF
  private static let stampSize = 12
  /// The date of a value that has none, and would by its last bytes be taken for one that has.
  private static let never = Int.max

  /// The bytes of a value.
  static func bytes(_ value: Data) -> Data {
    if !isDated(value) { return value }
    var bytes = Data(capacity: value.count + stampSize)
    bytes.append(value)
    withUnsafeBytes(of: never.bigEndian) { bytes.append(contentsOf: $0) }
    withUnsafeBytes(of: mark.bigEndian) { bytes.append(contentsOf: $0) }
    return bytes
  }

  /// The entry in bytes that were read, with the date behind them, if there is one.
  static func entry(_ bytes: Data) -> Entry<Data> {
    guard isDated(bytes) else { return Entry(object: bytes) }
    let value = bytes.dropLast(stampSize)
    let milliseconds = bytes.suffix(stampSize).prefix(8).reduce(0) { $0 << 8 | Int($1) }
    return Entry(
      object: value, expiry: Expiry(millisecondsSince1970: milliseconds == never ? nil : milliseconds))
  }

  /// Whether a date stands behind bytes.
  static func isDated(_ bytes: Data) -> Bool {
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
