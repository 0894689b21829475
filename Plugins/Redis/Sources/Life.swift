#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// For how long the server keeps an entry.
enum Life: Sendable, Equatable {
  case endless
  /// For so many milliseconds, by the server's clock.
  case milliseconds(Int)
  /// Until a number of milliseconds since 1970.
  case until(Int)
  /// It is over.
  case over

  init(_ expiry: Expiry, by clock: StorageClock) {
    switch expiry {
    case .never: self = .endless
    case .seconds(let seconds):
      let milliseconds = (seconds * 1000).rounded()
      // What is so long that it cannot be counted is endless.
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

  /// The option of `SET` and `GETEX` that says so.
  var option: (name: StaticString, number: Int)? {
    switch self {
    case .endless: nil
    case .milliseconds(let milliseconds): ("PX", milliseconds)
    case .until(let date): ("PXAT", date)
    // The server takes no date before 1970, and none that is no time at all.
    case .over: ("PXAT", 1)
    }
  }

  /// The same in words.
  var words: [RedisCommand.Word] { option.map { [.text("\($0.name)"), .integer($0.number)] } ?? [] }

  /// How long it is until a date, by our clock; `nil` if it is given in another way.
  func left(by clock: StorageClock) -> Life? {
    guard case .until(let date) = self else { return nil }
    return .milliseconds(max(Int(Double(date) - clock.now.timeIntervalSince1970 * 1000), 1))
  }
}
