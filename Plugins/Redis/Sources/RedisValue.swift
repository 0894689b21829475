#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// Encodes values as the bytes that the server stores.
///
/// A value is stored unchanged, so that other programs can read it; only the server stores its expiry. Earlier versions
/// of this store appended the expiry date to the value, which can still be read: twelve bytes, whose last four occur at
/// the end of no text.
enum RedisValue {
  /// The last bytes of a value with a date. No text ends with them, since 0xFF never occurs in UTF-8.
  private static let mark: UInt32 = 0xFF53_74FF
  private static let stampSize = 12
  /// The date appended to a value that never expires, but whose last bytes look like a date.
  private static let never = Int.max

  /// Returns the stored bytes of a value.
  static func bytes(_ value: Data) -> Data {
    if !isDated(value) { return value }
    var bytes = Data(capacity: value.count + stampSize)
    bytes.append(value)
    withUnsafeBytes(of: never.bigEndian) { bytes.append(contentsOf: $0) }
    withUnsafeBytes(of: mark.bigEndian) { bytes.append(contentsOf: $0) }
    return bytes
  }

  /// Returns the entry in stored bytes, with the date at their end, if there is one.
  static func entry(_ bytes: Data) -> Entry<Data> {
    guard isDated(bytes) else { return Entry(object: bytes) }
    let value = bytes.dropLast(stampSize)
    let milliseconds = bytes.suffix(stampSize).prefix(8).reduce(0) { $0 << 8 | Int($1) }
    return Entry(
      object: value, expiry: Expiry(millisecondsSince1970: milliseconds == never ? nil : milliseconds))
  }

  /// Whether bytes end with a date.
  static func isDated(_ bytes: Data) -> Bool {
    bytes.withUnsafeBytes { bytes in
      bytes.count >= stampSize
        && bytes.loadUnaligned(fromByteOffset: bytes.count - 4, as: UInt32.self).bigEndian == mark
    }
  }
}

extension Expiry {
  /// Returns the nearest date that the server can store; `nil` for never.
  func millisecondsSince1970(by clock: StorageClock) -> Int? {
    guard let seconds = resolved(by: clock).secondsSince1970 else { return nil }
    let milliseconds = (seconds * 1000).rounded()
    // The server accepts no date before 1970. A date too late to be represented counts as never.
    return milliseconds < 1 ? 1 : Int(exactly: milliseconds)
  }

  init(millisecondsSince1970 milliseconds: Int?) {
    self.init(secondsSince1970: milliseconds.map { Double($0) / 1000 })
  }
}
