#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// When a stored value stops being valid.
///
/// A value is valid before its date and expired from that moment on, so `.seconds(0)` is expired at once.
public enum Expiry: Equatable, Hashable, Sendable {
  /// Valid until it is removed.
  case never
  /// Valid for so many seconds from the moment it is stored.
  case seconds(Double)
  /// Valid until a date.
  case date(Date)

  /// The date of expiry; for `.seconds`, counted from now; for `.never`, the distant future.
  public var date: Date { date(from: StorageClock.system.now) }

  /// Whether the date of expiry has come, by the system's clock.
  ///
  /// `.seconds` is counted from now, so it is expired only when it is not positive.
  public var isExpired: Bool { isExpired(by: .system) }

  /// Whether the date of expiry has come, by a clock.
  @inlinable
  public func isExpired(by clock: StorageClock) -> Bool {
    switch self {
    case .never: false
    case .seconds(let seconds): seconds <= 0
    case .date(let date): clock.isPast(date)
    }
  }

  /// The same expiry with `.seconds` turned into a date, as a store keeps it.
  public func resolved(by clock: StorageClock) -> Expiry {
    guard case .seconds(let seconds) = self else { return self }
    return seconds == .infinity ? .never : .date(date(from: clock.now))
  }

  /// The one of two that ends first.
  @usableFromInline
  package static func earlier(_ one: Expiry, _ other: Expiry) -> Expiry {
    one.date <= other.date ? one : other
  }

  private func date(from now: Date) -> Date {
    switch self {
    case .never: .distantFuture
    case .seconds(let seconds): now.addingTimeInterval(seconds)
    case .date(let date): date
    }
  }
}
