import Strata
import StrataCore
import TestSupport
import Testing

@testable import StrataLoading

@Suite("Loading under leases", .timeLimit(.minutes(5)), .endsInTime)
struct LeaseTests {
  /// Two processes, each with its own loads, over one store.
  private struct Pair {
    let time = ManualClock()
    let store: SharedStore
    let sources = [Source(), Source()]
    let caches: [LoadingStorage<String, Int>]

    init(_ policy: LoadPolicy = LoadPolicy(), announces: Bool = false) {
      var policy = policy
      policy.lease = .shared(for: .seconds(9))
      let store = SharedStore(time, announces: announces)
      self.store = store
      caches = sources.map { [time, policy] in store.loading(policy, clock: time, $0.load) }
      sources[0].gives(1)
      sources[1].gives(2)
    }
  }

  @Test("of two processes that miss, one loads, and the stored value wakes the other (case 48)")
  func onlyOne() async throws {
    let pair = Pair(announces: true)
    let gate = pair.sources[0].stop()
    async let first = pair.caches[0].object(forKey: "a")
    await gate.arrivals(1)
    async let second = pair.caches[1].object(forKey: "a")
    // Two sleeps: until the first process extends its lease, and until the second one reads the store again.
    await pair.time.sleepers(2)
    gate.open()
    #expect(try await first == 1)
    #expect(try await second == 1)
    #expect(pair.sources[1].loads == 0)
    #expect(pair.caches[0].statistics.leasesWon == 1)
    await until { pair.caches[1].statistics.leasesAwaited == 1 }
    await until { pair.store.leaseCount == 0 }
  }

  @Test("a value loaded under a lease, after failed reads of the store, replaces none (case 52)")
  func unread() async throws {
    let pair = Pair()
    let store = pair.store.inner
    store.fail(.read)
    pair.sources[0].answers { _ in
      store.work()
      try store.setObject(Cached(7), forKey: "a")
      return .value(1)
    }
    #expect(try await pair.caches[0].object(forKey: "a") == 1)
    #expect(try await pair.caches[0].object(forKey: "a") == 7)
    #expect(pair.caches[0].statistics.leasesWon == 1)
  }

  @Test("without an invalidation source the other process polls")
  func polls() async throws {
    let pair = Pair()
    let gate = pair.sources[0].stop()
    async let first = pair.caches[0].object(forKey: "a")
    await gate.arrivals(1)
    let second = Task { try await pair.caches[1].object(forKey: "a") }
    await pair.time.sleepers(2)
    gate.open()
    #expect(try await first == 1)
    await until { pair.store.leaseCount == 0 }
    await pair.time.sleepers(1)
    pair.time.advance(by: .milliseconds(25))
    #expect(try await second.value == 1)
    #expect(pair.sources[1].loads == 0)
  }

  @Test("if the holder's load fails, the other process loads")
  func holderFails() async throws {
    let pair = Pair()
    pair.sources[0].fails()
    let gate = pair.sources[0].stop()
    let first = Task { try await pair.caches[0].object(forKey: "a") }
    await gate.arrivals(1)
    let second = Task { try await pair.caches[1].object(forKey: "a") }
    await pair.time.sleepers(2)
    gate.open()
    await #expect(throws: Source.Down.self) { try await first.value }
    await until { pair.store.leaseCount == 0 }
    await pair.time.sleepers(1)
    pair.time.advance(by: .milliseconds(25))
    #expect(try await second.value == 2)
  }

  @Test("a process extends its lease during a long load")
  func heartBeat() async throws {
    let pair = Pair()
    let gate = pair.sources[0].stop()
    async let first = pair.caches[0].object(forKey: "a")
    await gate.arrivals(1)
    for _ in 0..<10 {
      await pair.time.sleepers(1)
      pair.time.advance(by: .seconds(3))
    }
    await pair.time.sleepers(1)
    #expect(try await pair.store.acquire("a", for: .seconds(9)) == nil)
    gate.open()
    #expect(try await first == 1)
    #expect(pair.caches[0].statistics.leasesLost == 0)
  }

  @Test("a process whose extension of a lease fails once extends it again")
  func heartSkipsABeat() async throws {
    let pair = Pair()
    pair.store.failExtending(1)
    let gate = pair.sources[0].stop()
    async let first = pair.caches[0].object(forKey: "a")
    await gate.arrivals(1)
    for beat in 1...4 {
      await pair.time.sleepers(1)
      pair.time.advance(by: .seconds(3))
      await until { pair.store.extensions == beat }
    }
    #expect(try await pair.store.acquire("a", for: .seconds(9)) == nil)
    gate.open()
    #expect(try await first == 1)
    #expect(pair.caches[0].statistics.leasesLost == 0)
  }

  @Test("a holder stopped beyond its lease does not overwrite another's value (case 49)")
  func fencing() async throws {
    let pair = Pair()
    let gate = pair.sources[0].stop()
    async let first = pair.caches[0].object(forKey: "a")
    await gate.arrivals(1)
    pair.store.freeze()
    pair.time.advance(by: .seconds(10))
    #expect(try await pair.caches[1].object(forKey: "a") == 2)
    gate.open()
    #expect(try await first == 1, "those who waited for it have it")
    #expect(pair.caches[0].statistics.leasesLost == 1)
    #expect(try await pair.caches[0].object(forKey: "a") == 2)
    #expect(pair.sources.map(\.loads) == [1, 1])
  }

  @Test("without leases every process loads, and none fails (case 50)")
  func leasesAreDown() async throws {
    let pair = Pair()
    pair.store.breaks()
    let gate = pair.sources[0].stop()
    async let first = pair.caches[0].object(forKey: "a")
    await gate.arrivals(1)
    #expect(try await pair.caches[1].object(forKey: "a") == 2)
    gate.open()
    #expect(try await first == 1)
    #expect(pair.caches.map(\.statistics.leaseFailures) == [1, 1])
  }

  @Test(
    "a caller cancelled while another process loads ends at once, without a failed lease (FusionCache #592, case 5)"
  )
  func cancelled() async throws {
    let pair = Pair()
    let gate = pair.sources[0].stop()
    async let first = pair.caches[0].object(forKey: "a")
    await gate.arrivals(1)
    let second = Task { try await pair.caches[1].object(forKey: "a") }
    await pair.time.sleepers(2)
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    await until { pair.caches[1].loadsInFlight == 0 }
    #expect(pair.caches[1].statistics.leaseFailures == 0)
    #expect(pair.caches[1].statistics.failedLoads == 0)
    gate.open()
    #expect(try await first == 1)
  }

  @Test(
    "keys that another process loads are awaited, and one call loads the other ones")
  func many() async throws {
    let pair = Pair(announces: true)
    let gate = pair.sources[0].stop()
    async let first = pair.caches[0].object(forKey: "a")
    await gate.arrivals(1)
    let calls = Locked<[[String]]>([])
    var policy = pair.caches[1].policy
    policy.lease = .shared(for: .seconds(9))
    let bulk = pair.store.loading(
      policy, clock: pair.time,
      many: { requests in
        calls.withLock { $0.append(requests.map(\.key).sorted()) }
        return Dictionary(uniqueKeysWithValues: requests.map { ($0.key, .value(7)) })
      })
    let second = Task { try await bulk.objects(forKeys: ["a", "b", "c"]) }
    await until { calls.withLock { $0.count } == 1 }
    await pair.time.sleepers(2)
    gate.open()
    #expect(try await first == 1)
    #expect(try await second.value == ["a": 1, "b": 7, "c": 7])
    #expect(calls.withLock { $0 } == [["b", "c"]])
    await until { pair.store.leaseCount == 0 }
  }

  @Test("a refresh that another process is making is skipped")
  func refresh() async throws {
    let pair = Pair(LoadPolicy(freshFor: .seconds(100), refreshAhead: .at(0.5)))
    _ = try await pair.caches[0].object(forKey: "a")
    // Callers get the value before the lease is released.
    await until { pair.store.leaseCount == 0 }
    pair.time.advance(by: .seconds(60))
    let gate = pair.sources[0].stop()
    #expect(try await pair.caches[0].object(forKey: "a") == 1)
    await gate.arrivals(1)
    #expect(try await pair.caches[1].object(forKey: "a") == 1)
    await until { pair.caches[1].loadsInFlight == 0 }
    #expect(pair.sources[1].loads == 0)
    gate.open()
    await until { pair.store.leaseCount == 0 }
  }

  @Test(
    "a refresh uses a value that another process has stored meanwhile, and loads nothing (FusionCache #651, case 35)"
  )
  func refreshedElsewhere() async throws {
    let time = ManualClock()
    let store = SharedStore(time)
    let policy = LoadPolicy(
      freshFor: .seconds(100), refreshAhead: .at(0.5), lease: .shared(for: .seconds(9)))
    let sources = [Source(), Source()]
    // Each process has its own memory, which receives no invalidations.
    let caches = sources.map { source in
      MemoryStorage<String, Cached<Int>>(config: MemoryConfig(clock: time.clock)).combined(with: store)
        .loading(policy, clock: time, source.load)
    }
    for cache in caches {
      #expect(try await cache.object(forKey: "a") == 1)
      await until { store.leaseCount == 0 }
    }
    time.advance(by: .seconds(60))
    sources[0].gives(2)
    for cache in caches {
      #expect(try await cache.object(forKey: "a") == 1)
      await until { cache.loadsInFlight == 0 && store.leaseCount == 0 }
      #expect(try await cache.object(forKey: "a") == 2)
    }
    #expect(sources.map(\.loads) == [2, 0])
  }

  @Test("leases are found through every combinator, and for mapped keys")
  func links() async throws {
    let store = SharedStore(ManualClock())
    #expect(store.serial().leases != nil)
    #expect(store.timeout(.seconds(1)).retry(2).leases != nil)
    let mapped = store.mapKeys(to: Int.self, mapTo: { Int($0) ?? 0 }, mapFrom: { "\($0)" })
    let lease = try #require(try await mapped.leases?.acquire(5, for: .seconds(1)))
    #expect(try await store.acquire("5", for: .seconds(1)) == nil)
    #expect(lease.isIssued(by: store))
    #expect(DictionaryStorage<String, Int>().leases == nil)
  }

  @Test("a lease is passed on by a guard that runs writes in tasks of their own")
  func guarded() async throws {
    let store = SharedStore(ManualClock())
    let lease = try #require(try await store.acquire("a", for: .seconds(1)))
    try await store.release(lease, of: "a")
    await #expect(throws: StorageError.leaseLost) {
      try await lease.whileHeld {
        try await store.timeout(.seconds(10)).setObject(Cached(1), forKey: "a", expiry: nil)
      }
    }
  }
}
