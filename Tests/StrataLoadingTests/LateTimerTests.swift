import Strata
import StrataCore
import TestSupport
import Testing

@testable import StrataLoading

@Suite("Loading: timers that run out when their load has just ended", .timeLimit(.minutes(5)), .endsInTime)
struct LateTimerTests {
  private let clock = UncancelledClock()
  private let source = Source()

  private func cache(_ policy: LoadPolicy) -> LoadingStorage<String, Int> {
    let memory = MemoryStorage<String, Cached<Int>>(config: MemoryConfig(clock: clock.time.clock))
    return memory.loading(policy, clock: clock, source.load)
  }

  /// Loads a value, and lets the timer of its load run out afterwards.
  private func load(_ cache: LoadingStorage<String, Int>) async throws {
    #expect(try await cache.object(forKey: "a") == 1)
    await until { cache.loadsInFlight == 0 }
    await clock.time.sleepers(1)
    clock.time.advance(by: .seconds(5))
    await until { clock.wakings.value == 1 }
    for _ in 0..<100 { await Task.yield() }
  }

  @Test("a timeout leaves room for a refresh")
  func timeout() async throws {
    let cache = cache(
      LoadPolicy(freshFor: .seconds(10), hardTimeout: .seconds(5), refreshAhead: .at(0.5), backgroundLimit: 1)
    )
    try await load(cache)
    #expect(try await cache.object(forKey: "a") == 1)
    #expect(cache.statistics.skippedRefreshes == 0)
    await until { source.loads == 2 }
  }

  @Test("a load that has ended leaves room for one that is lost")
  func lost() async throws {
    let cache = cache(LoadPolicy(afterTimeout: .abandon(after: .seconds(5)), backgroundLimit: 1))
    try await load(cache)
    #expect(cache.statistics.abandonedLoads == 0)
    let stuck = source.stop()
    let caller = Task { try await cache.object(forKey: "b") }
    await stuck.arrivals(1)
    await clock.time.sleepers(1)
    clock.time.advance(by: .seconds(5))
    await until { cache.statistics.abandonedLoads == 1 }
    stuck.open()
    await #expect(throws: StorageError.timedOut) { try await caller.value }
  }
}

/// A clock whose sleepers wake at their time even if they are cancelled, as a timer does that is cancelled too late.
private struct UncancelledClock: Clock {
  let time = ManualClock()
  let wakings = Shared(0)

  var now: ManualClock.Instant { time.now }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
    try await Task.detached { [time] in try await time.sleep(until: deadline) }.value
    wakings.change { $0 += 1 }
  }
}
