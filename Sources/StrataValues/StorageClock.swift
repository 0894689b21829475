#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The source of the current time for a store.
///
/// Stores take a clock in their configuration, so that a test can move time forward instead of waiting:
///
/// ```swift
/// let time = ManualClock()
/// let memory = MemoryStorage<String, Int>(config: MemoryConfig(expiry: .seconds(60), clock: time.clock))
/// time.advance(by: .seconds(61))
/// ```
public struct StorageClock: Sendable {
  private let reading: (@Sendable () -> Date)?

  /// The wall clock of the machine.
  public static let system = StorageClock(reading: nil)

  /// Creates a clock that calls a function for the current time. The function is called on any thread, also
  /// concurrently.
  public init(_ now: @escaping @Sendable () -> Date) { self.init(reading: now) }

  private init(reading: (@Sendable () -> Date)?) { self.reading = reading }

  /// The current time.
  public var now: Date { reading?() ?? Date() }

  /// The current time, in seconds since the reference date.
  package var secondsSinceReferenceDate: Double { now.timeIntervalSinceReferenceDate }

  /// Returns whether a date has been reached.
  ///
  /// With the system clock on Linux this is several times faster than reading `now`, unless the date comes within a
  /// second.
  public func isPast(_ date: Date) -> Bool {
    isPast(secondsSinceReferenceDate: date.timeIntervalSinceReferenceDate)
  }

  /// Returns whether a date has been reached, given as seconds since the reference date.
  package func isPast(secondsSinceReferenceDate seconds: Double) -> Bool {
    if let reading { return seconds <= reading().timeIntervalSinceReferenceDate }
    #if os(Linux)
      // Reading the coarse clock takes a tenth of the time.
      if let isPast = Self.isPast(seconds, lagging: Self.coarseSeconds()) { return isPast }
    #endif
    return seconds <= Date().timeIntervalSinceReferenceDate
  }

  #if os(Linux)
    /// Returns whether a date has been reached, by a clock that lags; `nil` if only the precise clock can tell.
    ///
    /// The coarse clock lags by one kernel tick, at most 10 ms. On a virtual machine that waits for its processors it
    /// lags by more: 59 ms were measured.
    static func isPast(_ seconds: Double, lagging now: Double) -> Bool? {
      if seconds <= now { return true }
      return seconds > now + 1 ? false : nil
    }

    /// Returns the seconds since the reference date by the coarse clock.
    private static func coarseSeconds() -> Double {
      var time = timespec()
      clock_gettime(CLOCK_REALTIME_COARSE, &time)
      return Double(time.tv_sec) - Date.timeIntervalBetween1970AndReferenceDate + Double(time.tv_nsec) * 1e-9
    }
  #endif
}
