#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataEngines

/// The text in the column `expiry` of a row whose value is stored in parts.
///
/// | characters | contents                                                                                  |
/// |------------|-------------------------------------------------------------------------------------------|
/// | 1–6        | `parts `                                                                                  |
/// | 7–22       | the expiry in hexadecimal digits that sort like the dates, or `never` and points          |
/// | 24–55      | the identity of the value, as in the table of parts                                       |
/// | 57–        | the number of bytes of the value                                                          |
///
/// The column `value` then has the description of the value. Earlier versions throw an error for a text in `expiry`, so
/// they cannot mistake the description for a value. SQLite sorts texts behind all numbers, and the index of the column
/// finds rows that have expired among both.
enum PartsExpiry {
  private static let never = "never..........."

  /// Returns the text of a value.
  static func text(_ value: DividedValue, _ expiry: Expiry) -> String {
    "parts \(expiry.secondsSince1970.map(digits) ?? never) \(value.id.text) \(value.length)"
  }

  /// Returns the expiry in a text, or `nil` if the text is another one.
  static func expiry(_ text: String) -> Expiry? {
    let words = text.split(separator: " ")
    guard words.count == 4, words[0] == "parts", words[1].utf8.count == 16 else { return nil }
    if words[1] == never { return .never }
    return UInt64(words[1], radix: 16).map { bits in
      Expiry(secondsSince1970: Double(bitPattern: bits >> 63 == 1 ? bits & ~(1 << 63) : ~bits))
    }
  }

  /// Calls `body` with the greatest text of a value that has expired at a date.
  static func withBound<R>(_ date: Date, _ body: (UnsafeBufferPointer<UInt8>) throws -> R) throws -> R {
    let text = "parts \(digits(Expiry.date(date).secondsSince1970 ?? 0))~"
    return try Array(text.utf8).withUnsafeBufferPointer(body)
  }

  /// Returns digits that sort like numbers.
  private static func digits(_ seconds: Double) -> String {
    let bits = seconds.bitPattern
    return ValueID.digits(bits >> 63 == 0 ? bits | 1 << 63 : ~bits)
  }

  // MARK: In SQL

  /// Whether a row's value is stored in parts.
  static func test(_ row: String) -> String { "typeof(\(row).expiry) = 'text'" }

  /// The length of a row's value that is stored in parts.
  static func length(_ row: String) -> String { "CAST(substr(\(row).expiry, 57) AS INTEGER)" }

  /// The identity of a row's value that is stored in parts.
  static func id(_ row: String) -> String { "substr(\(row).expiry, 24, 32)" }

  /// Whether a row's value is stored in parts and has expired; `bound` is the parameter with the text of `withBound`.
  static func isPast(_ bound: String) -> String { "expiry BETWEEN 'parts ' AND \(bound)" }
}
