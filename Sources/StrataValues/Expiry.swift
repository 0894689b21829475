#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The time at which a stored value stops being valid.
///
/// ```swift
/// try users.setObject(ada, forKey: "ada", expiry: .seconds(3600))
/// let expiry = try users.entry(forKey: "ada").expiry   // A date in an hour.
/// ```
///
/// A value is valid before this time and expired from then on, so `.seconds(0)` expires at once.
public enum Expiry: Equatable, Hashable, Sendable {
  /// Valid until it is removed.
  case never
  /// Valid for a number of seconds from the moment at which it is stored.
  case seconds(Double)
  /// Valid until a date.
  case date(Date)

  /// Returns whether two expiries are the same case with the same number or date. A NaN equals itself here: stores
  /// compare an entry with the one that they have read.
  ///
  /// Not left to the compiler: its function cannot be inlined, and every write compares its expiry with `.never`.
  @inlinable
  public static func == (one: Expiry, other: Expiry) -> Bool {
    switch (one, other) {
    case (.never, .never): true
    case (.seconds(let one), .seconds(let other)): one == other || one.bitPattern == other.bitPattern
    case (.date(let one), .date(let other)):
      one == other
        || one.timeIntervalSinceReferenceDate.bitPattern == other.timeIntervalSinceReferenceDate.bitPattern
    default: false
    }
  }

  /// The date of expiry. `.seconds` counts from now; `.never` is the distant future.
  public var date: Date { date(from: StorageClock.system.now) }

  /// Whether the date of expiry has been reached, by the system clock.
  ///
  /// `.seconds` counts from now, so it has expired only if the number is not positive.
  public var isExpired: Bool { isExpired(by: .system) }

  /// Returns whether the date of expiry has been reached, by a clock.
  @inlinable
  public func isExpired(by clock: StorageClock) -> Bool {
    switch self {
    case .never: false
    case .seconds(let seconds): seconds <= 0
    case .date(let date): clock.isPast(date)
    }
  }

  /// Returns the expiry as stores keep it: `.seconds` is converted into a date.
  public func resolved(by clock: StorageClock) -> Expiry {
    guard case .seconds(let seconds) = self else { return self }
    return seconds == .infinity ? .never : .date(date(from: clock.now))
  }

  /// Creates a date from a number of seconds since the reference date, or `.never` from infinity.
  package init(secondsSinceReferenceDate seconds: Double) {
    self = seconds == .infinity ? .never : .date(Date(timeIntervalSinceReferenceDate: seconds))
  }

  /// The number of seconds from the reference date to the date of a resolved expiry; infinity for never.
  @inlinable
  package var secondsSinceReferenceDate: Double {
    if case .date(let date) = self { date.timeIntervalSinceReferenceDate } else { .infinity }
  }

  /// Creates a date from a number of seconds since 1970, or `.never` from `nil`.
  package init(secondsSince1970 seconds: Double?) {
    self = seconds.map { .date(Date(timeIntervalSince1970: $0)) } ?? .never
  }

  /// The number of seconds from 1970 to the date of a resolved expiry; `nil` for never.
  package var secondsSince1970: Double? {
    if case .date(let date) = self { date.timeIntervalSince1970 } else { nil }
  }

  /// Returns the earlier of two expiries.
  @usableFromInline
  package static func earlier(_ one: Expiry, _ other: Expiry) -> Expiry {
    if case .never = one { return other }
    return one.date <= other.date ? one : other
  }

  private func date(from now: @autoclosure () -> Date) -> Date {
    switch self {
    case .never: .distantFuture
    case .seconds(let seconds): now().addingTimeInterval(seconds)
    case .date(let date): date
    }
  }
}
