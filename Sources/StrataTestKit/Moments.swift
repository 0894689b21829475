#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// The passage of time for one store: the test's clock is moved if the store uses it, and otherwise the check waits.
struct Moments {
  /// A lifetime in seconds that is long enough for a few operations and short enough to wait for.
  let unit: Double
  /// The number of seconds by which a value may expire too early or too late.
  let resolution: Double
  /// Whether the store uses the test's clock, so that time stands still between operations.
  let isManual: Bool
  private let time: ManualClock
  private let clock: StorageClock

  init(of trial: Trial, in store: any StorageAware<String, Data>) async throws {
    self.init(trial.time, clock: store.clock, resolution: trial.subject.expiryResolution)
  }

  init(_ time: ManualClock, clock: StorageClock, resolution: Double) {
    self.time = time
    self.clock = clock
    self.resolution = resolution
    isManual = clock.now == time.date
    unit = isManual ? max(60, resolution * 4) : max(0.25, resolution * 4)
  }

  /// The time of the store's clock.
  var now: Date { clock.now }

  /// Runs checks that hold only before a date. With a real clock, a slow machine may be too late, so failures after the
  /// date are ignored.
  func before(_ date: Date, _ body: () async throws -> Void) async throws {
    do { try await body() } catch is BrokenPromise
      where !isManual && now >= date.addingTimeInterval(-resolution)
    {}
  }

  /// Advances the clock by some seconds, or waits that long.
  func pass(_ seconds: Double) async throws {
    if isManual {
      time.advance(by: seconds)
    } else {
      let end = now.addingTimeInterval(seconds)
      // The clock of `sleep` may differ from the store's, so that a sleep may end too early.
      while now < end { try await Task.sleep(for: .seconds(max(end.timeIntervalSince(now), 0.001))) }
    }
  }
}
