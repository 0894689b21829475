import Strata
import TestSupport
import Testing

@Suite("Guards: time limit, breaker, retry", .timeLimit(.minutes(5)), .endsInTime)
struct GuardTests {
  typealias Faulty = FaultyStorage<MemoryStorage<String, Int>>

  let time = ManualClock()
  let faulty: Faulty

  init() { faulty = Faulty(MemoryStorage(dictionary: ["a": 1]), seed: 1, clock: time) }

  @Test("an operation that takes too long throws, is cancelled, and is not waited for")
  func timeLimit() async throws {
    let limited = faulty.timeout(.seconds(1), clock: time)
    #expect(try await limited.object(forKey: "a") == 1)
    faulty.close()
    let call = Task { try await limited.object(forKey: "a") }
    await until { faulty.waiting == 1 }
    await time.sleepers(1)
    time.advance(by: .seconds(1))
    await #expect(throws: StorageError.timedOut) { try await call.value }
    await until { faulty.waiting == 0 }
  }

  @Test("a caller that is cancelled does not wait for the limit")
  func cancelled() async throws {
    faulty.close()
    let call = Task { [faulty, time] in try await faulty.timeout(.seconds(1), clock: time).object(forKey: "a")
    }
    await until { faulty.waiting == 1 }
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
    await until { faulty.waiting == 0 }
  }

  @Test("a failed operation is repeated with growing pauses, up to the limit")
  func retry() async throws {
    let retried = faulty.retry(3, backoff: .exponential(from: .seconds(1), to: .seconds(9)), clock: time)
    faulty.isDown = true
    let call = Task { try await retried.object(forKey: "a") }
    await time.sleepers(1)
    #expect(faulty.calls == 1)
    time.advance(by: .seconds(1))
    await until { faulty.calls == 2 }
    await time.sleepers(1)
    faulty.isDown = false
    time.advance(by: .seconds(2))
    #expect(try await call.value == 1)
    #expect(faulty.calls == 3)
  }

  @Test("the last error is thrown; permanent errors are not retried")
  func lasting() async throws {
    faulty.isDown = true
    await #expect(throws: Faulty.Fault(call: 3)) {
      try await faulty.retry(3, backoff: .fixed(.zero), clock: time).setObject(1, forKey: "b")
    }
    #expect(StorageError.mayPass(StorageError.backendFailed))
    #expect(!StorageError.mayPass(StorageError.typeNotMatch))
    #expect(!StorageError.mayPass(CancellationError()))
  }

  @Test("the breaker opens at a rate of failures, refuses calls, and closes after one probe")
  func breaker() async throws {
    let states = Locked<[BreakerState]>([])
    let broken = faulty.breaker(
      BreakerPolicy(failureRate: 0.5, minimumCalls: 4, window: .seconds(10), openFor: .seconds(30)),
      clock: time,
      onChange: { state in states.withLock { $0.append(state) } })
    for _ in 0..<4 { _ = try await broken.object(forKey: "a") }
    faulty.isDown = true
    for _ in 0..<4 {
      await #expect(throws: Faulty.Fault.self) { try await broken.object(forKey: "a") }
    }
    let calls = faulty.calls
    await #expect(throws: StorageError.unavailable) { try await broken.object(forKey: "a") }
    #expect(faulty.calls == calls)
    time.advance(by: .seconds(30))
    await #expect(throws: Faulty.Fault.self) { try await broken.object(forKey: "a") }
    await #expect(throws: StorageError.unavailable) { try await broken.object(forKey: "a") }
    time.advance(by: .seconds(30))
    faulty.isDown = false
    faulty.close()
    let probe = Task { try await broken.object(forKey: "a") }
    await until { faulty.waiting == 1 }
    await #expect(throws: StorageError.unavailable) { try await broken.object(forKey: "a") }
    faulty.open()
    #expect(try await probe.value == 1)
    #expect(try await broken.object(forKey: "a") == 1)
    #expect(states.withLock { $0 } == [.open, .halfOpen, .open, .halfOpen, .closed])
  }

  @Test("failures that are older than the window do not open the breaker")
  func window() async throws {
    let broken = faulty.breaker(BreakerPolicy(minimumCalls: 4, window: .seconds(10)), clock: time)
    faulty.isDown = true
    for _ in 0..<3 { await #expect(throws: Faulty.Fault.self) { try await broken.object(forKey: "a") } }
    time.advance(by: .seconds(11))
    await #expect(throws: Faulty.Fault.self) { try await broken.object(forKey: "a") }
    #expect(broken.guardian.state == .closed)
  }

  @Test("an absent value is not a failure, and a cancelled probe lets another try")
  func noFailures() async throws {
    let broken = faulty.breaker(BreakerPolicy(minimumCalls: 1, openFor: .seconds(1)), clock: time)
    for _ in 0..<5 { await #expect(throws: StorageError.notFound) { try await broken.object(forKey: "x") } }
    #expect(broken.guardian.state == .closed)
    faulty.isDown = true
    await #expect(throws: Faulty.Fault.self) { try await broken.object(forKey: "a") }
    faulty.isDown = false
    time.advance(by: .seconds(1))
    faulty.close()
    let probe = Task { try await broken.object(forKey: "a") }
    await until { faulty.waiting == 1 }
    probe.cancel()
    await #expect(throws: CancellationError.self) { try await probe.value }
    faulty.open()
    #expect(try await broken.object(forKey: "a") == 1)
    #expect(broken.guardian.state == .closed)
  }

  @Test(
    "a call that began before the breaker opened does not replace the probe, however it ends",
    arguments: LateCall.End.allCases)
  func lateCall(_ end: LateCall.End) async throws {
    let store = LateCall(end)
    let broken = store.breaker(BreakerPolicy(minimumCalls: 1, openFor: .seconds(1)), clock: time)
    let late = Task { try await broken.objectIfPresent(forKey: "late") }
    await store.late.arrivals(1)
    await #expect(throws: Failure.first) { try await broken.objectIfPresent(forKey: "failing") }
    time.advance(by: .seconds(1))
    let probe = Task { try await broken.objectIfPresent(forKey: "probe") }
    await store.probe.arrivals(1)
    store.late.open()
    _ = await late.result
    #expect(broken.guardian.state == .halfOpen)
    await #expect(throws: StorageError.unavailable) { try await broken.objectIfPresent(forKey: "other") }
    store.probe.open()
    _ = try await probe.value
    #expect(broken.guardian.state == .closed)
  }

  @Test("a failing second tier behind a breaker is a miss for the loading store, without a delay (point 8)")
  func loadingOverBreaker() async throws {
    let tier = FaultyStorage(MemoryStorage<String, Cached<Int>>(), seed: 1, clock: time)
    let broken = tier.breaker(BreakerPolicy(minimumCalls: 2), clock: time)
    let cache = broken.loading(LoadPolicy(), clock: time) { (_: LoadRequest<String, Int>) in .value(7) }
    tier.isDown = true
    for _ in 0..<5 { #expect(try await cache.object(forKey: "a") == 7) }
    #expect(tier.calls == 2)
    #expect(broken.guardian.state == .open)
  }
}

/// An empty store with a read that ends late, one that fails, and one that waits as a probe.
final class LateCall: SimpleStorage {
  enum End: CaseIterable { case success, failure, cancellation }

  let late = Gate(holding: 1)
  let probe = Gate(holding: 1)
  private let end: End

  init(_ end: End) { self.end = end }

  func entryIfPresent(forKey key: String) async throws -> Entry<Int>? {
    switch key {
    case "failing": throw Failure.first
    case "probe": await probe.pass()
    case "late":
      await late.pass()
      switch end {
      case .success: break
      case .failure: throw Failure.first
      case .cancellation: throw CancellationError()
      }
    default: break
    }
    return nil
  }
  func setObject(_ object: Int, forKey key: String, expiry: Expiry?) async throws {}
  func removeObject(forKey key: String) async throws {}
  func removeAll() async throws {}
  func removeExpiredObjects() async throws {}
  func keys() async throws -> [String] { [] }
}
