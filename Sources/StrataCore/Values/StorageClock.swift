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

/// What a store asks for the time.
///
/// Stores take one in their configuration, so that a test moves time forward instead of waiting for it:
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

  /// A clock that shows what a function returns. It is called on any thread, also at the same time.
  public init(_ now: @escaping @Sendable () -> Date) { self.init(reading: now) }

  private init(reading: (@Sendable () -> Date)?) { self.reading = reading }

  /// The time now.
  public var now: Date { reading?() ?? Date() }

  /// Whether a date has come.
  ///
  /// On the system clock this is several times cheaper than reading `now`, unless the date is very near.
  public func isPast(_ date: Date) -> Bool {
    if let reading { return date <= reading() }
    #if os(Linux)
      // The coarse clock is behind the precise one by at most a tick of the kernel, 10 ms at its slowest
      // setting. It is a tenth of the price and decides all but the values that expire within that tick.
      let coarse = Self.coarseSeconds()
      let expiry = date.timeIntervalSince1970
      if expiry <= coarse { return true }
      if expiry > coarse + 0.02 { return false }
    #endif
    return date <= Date()
  }

  #if os(Linux)
    private static func coarseSeconds() -> Double {
      var time = timespec()
      clock_gettime(CLOCK_REALTIME_COARSE, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
  #endif
}
