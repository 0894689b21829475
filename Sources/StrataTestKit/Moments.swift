#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// How time passes for one store: the tests' clock is moved if it is the store's, otherwise it is waited.
struct Moments {
  /// A life, in seconds, that is long enough for a few operations and short enough to wait for.
  let unit: Double
  /// By how many seconds a value may expire too early or too late.
  let resolution: Double
  /// Whether the store lives by the tests' clock, so that time stands still between operations.
  let isManual: Bool
  private let time: ManualClock
  private let clock: StorageClock

  init(of trial: Trial, in store: any StorageAware<String, Data>) async throws {
    time = trial.time
    clock = store.clock
    resolution = trial.subject.expiryResolution
    isManual = clock.now == time.date
    unit = isManual ? max(60, resolution * 4) : max(0.25, resolution * 4)
  }

  /// What the store's clock shows.
  var now: Date { clock.now }

  /// Does what holds only before a date. Where time does not stand still, a slow machine may be there too late: that is
  /// no fault of the store.
  func before(_ date: Date, _ body: () async throws -> Void) async throws {
    do { try await body() } catch is BrokenPromise
      where !isManual && now >= date.addingTimeInterval(-resolution)
    {}
  }

  /// Lets seconds pass.
  func pass(_ seconds: Double) async throws {
    if isManual {
      time.advance(by: seconds)
    } else {
      let end = now.addingTimeInterval(seconds)
      // A sleep may end early by the store's clock, which is another one.
      while now < end { try await Task.sleep(for: .seconds(max(end.timeIntervalSince(now), 0.001))) }
    }
  }
}
