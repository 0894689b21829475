#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// The time for which the server keeps an entry.
enum Life: Sendable, Equatable {
  case endless
  /// A duration in milliseconds, by the server's clock.
  case milliseconds(Int)
  /// A date in milliseconds since 1970.
  case until(Int)
  /// Already expired.
  case over

  init(_ expiry: Expiry, by clock: StorageClock) {
    switch expiry {
    case .never: self = .endless
    case .seconds(let seconds):
      let milliseconds = (seconds * 1000).rounded()
      // A duration too long to be represented counts as endless.
      if milliseconds < 1 {
        self = .over
      } else {
        self = Int(exactly: milliseconds).flatMap { $0 < 1 << 60 ? .milliseconds($0) : nil } ?? .endless
      }
    case .date(let date):
      if expiry.isExpired(by: clock) {
        self = .over
      } else {
        self = Expiry.date(date).millisecondsSince1970(by: clock).map(Life.until) ?? .endless
      }
    }
  }

  /// The corresponding option of `SET` and `GETEX`.
  var option: (name: StaticString, number: Int)? {
    switch self {
    case .endless: nil
    case .milliseconds(let milliseconds): ("PX", milliseconds)
    case .until(let date): ("PXAT", date)
    // The server accepts no date before 1970, and no duration of 0.
    case .over: ("PXAT", 1)
    }
  }

  /// The option as words of a command, empty without an expiry.
  var words: [RedisCommand.Word] { option.map { [.text("\($0.name)"), .integer($0.number)] } ?? [] }

  /// Returns the duration until the date, by this machine's clock; `nil` if the life is not given as a date.
  func left(by clock: StorageClock) -> Life? {
    guard case .until(let date) = self else { return nil }
    return .milliseconds(max(Int(Double(date) - clock.now.timeIntervalSince1970 * 1000), 1))
  }
}
