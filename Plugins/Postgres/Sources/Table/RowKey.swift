#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// A key in its stored form.
struct RowKey: Sendable, Hashable {
  /// The maximum length of a text that is stored as the key itself. An index accepts rows of up to 2 700 bytes.
  private static let longest = 1024
  private static let hashed: UInt8 = 0xFE
  private static let lease: UInt8 = 0xFF

  let bytes: [UInt8]
  /// The text of a hashed key; `nil` if `bytes` is the text.
  let name: [UInt8]?

  init(_ key: some StorageKey) {
    let text = key.storageKey.canonicalUTF8
    if text.count <= Self.longest {
      (bytes, name) = (text, nil)
    } else {
      (bytes, name) = ([Self.hashed] + SHA256.hash(text), text)
    }
  }

  private init(bytes: [UInt8]) { (self.bytes, name) = (bytes, nil) }

  /// The key of the row that stores the entry's lease.
  var lease: RowKey { RowKey(bytes: [Self.lease] + bytes) }
}

extension Parameters {
  /// Appends a key and its name.
  mutating func append(_ key: RowKey) {
    append(key.bytes)
    if let name = key.name { append(name) } else { appendNull() }
  }

  /// Appends a date as `timestamptz`; NULL for an entry that never expires.
  mutating func append(_ expiry: Expiry, by clock: StorageClock) {
    if let date = expiry.timestamp(by: clock) { append(date) } else { appendNull() }
  }

  /// Appends the current time.
  mutating func appendNow(_ clock: StorageClock) { append(.date(clock.now), by: clock) }
}

extension Expiry {
  /// The seconds between the epochs of PostgreSQL, 2000, and of Foundation, 2001.
  private static let shift = 31_622_400.0

  /// Returns the date in microseconds since 2000; `nil` for never, and for dates later than PostgreSQL can represent.
  fileprivate func timestamp(by clock: StorageClock) -> Int? {
    guard case .date(let date) = resolved(by: clock) else { return nil }
    let microseconds = ((date.timeIntervalSinceReferenceDate + Self.shift) * 1e6).rounded()
    if microseconds.isNaN || microseconds > 9e18 { return nil }
    // Before 4713 BC: PostgreSQL's `-infinity`.
    return microseconds < -2e17 ? .min : Int(microseconds)
  }

  /// Creates the expiry for microseconds since 2000; `nil` for never.
  init(timestamp microseconds: Int64?) {
    switch microseconds {
    case nil, .max: self = .never
    case .min: self = .date(.distantPast)
    case let microseconds?:
      self = .date(Date(timeIntervalSinceReferenceDate: Double(microseconds) / 1e6 - Self.shift))
    }
  }
}
