import StrataObservation
import StrataTestKit
import TestSupport
import Testing

@Suite("A stored value over a loading store", .endsInTime)
@MainActor
struct LoadingTests {
  private let time = ManualClock()
  private let loads = Shared(0)
  private let fails = Shared(false)

  /// A loader of numbers, which can be stopped at a gate and made to fail.
  private func numbers(
    _ policy: LoadPolicy = LoadPolicy(freshFor: .seconds(60), staleFor: .seconds(600)),
    _ config: MemoryConfig? = nil, at gate: Shared<Gate?> = Shared(nil), once: Bool = false
  ) -> LoadingStorage<String, Int> {
    let memory = MemoryStorage<String, TypeWrapper>(config: config ?? MemoryConfig(clock: time.clock))
    return Storage(TypeWrapperStorage(memory, transformer: .codable(Int.self)))
      .loading(policy, clock: time) { [loads, fails] _ in
        let number = loads.change { loads in
          loads += 1
          return loads
        }
        await gate.value?.pass()
        if fails.value { throw Failure.first }
        return once ? .once(number) : .value(number)
      }
  }

  @Test("a missing value is loaded")
  func missing() async throws {
    let gate = Gate(holding: 1)
    let value = StoredValue(numbers(at: Shared(gate)), forKey: "a", clock: time)
    await gate.arrivals(1)
    #expect(value.value == nil && value.phase.isLoading)
    gate.open()
    await until { value.value == 1 && value.phase.isLoaded }
    await value.refresh()
    #expect(value.value == 2 && value.phase.isLoaded && loads.value == 2)
  }

  @Test("a stale value is shown first, and the fresh one when it comes")
  func stale() async throws {
    let gate = Shared<Gate?>(nil)
    let store = numbers(at: gate)
    _ = try await store.object(forKey: "a")
    time.advance(by: 61)
    let held = Gate(holding: 1)
    gate.change { $0 = held }
    let value = StoredValue(store, forKey: "a", clock: time)
    let watcher = Watcher { value.value }
    await until { value.phase.isStale }
    #expect(value.value == 1)
    held.open()
    await until { value.phase.isLoaded && watcher.seen.last == 2 }
    #expect(watcher.seen == [nil, 1, 2])
  }

  @Test("a value is stale when its time has passed, and is not loaded for that")
  func staleInTime() async throws {
    let value = StoredValue(numbers(), forKey: "a", clock: time)
    await until { value.value == 1 && value.phase.isLoaded }
    await time.sleepers(1)
    time.advance(by: 61)
    await until { value.phase.isStale }
    #expect(value.value == 1 && loads.value == 1)
    await value.refresh()
    #expect(value.value == 2 && value.phase.isLoaded)
  }

  @Test("a load that fails leaves the stale value, and says why")
  func failing() async throws {
    let store = numbers()
    _ = try await store.object(forKey: "a")
    time.advance(by: 61)
    fails.change { $0 = true }
    let value = StoredValue(store, forKey: "a", clock: time)
    await until { value.phase.error is Failure }
    #expect(value.value == 1)
    fails.change { $0 = false }
    await value.refresh()
    #expect(value.value == 3 && value.phase.isLoaded)
    fails.change { $0 = true }
    await value.refresh()
    #expect(value.value == 3)
  }

  @Test("a first load that fails leaves nothing, and says why")
  func failingFirst() async throws {
    fails.change { $0 = true }
    let value = StoredValue(numbers(), forKey: "a")
    await until { value.phase.error is Failure }
    #expect(value.value == nil && loads.value == 1)
  }

  @Test("a value that was removed is loaded again, one that expired is shown as stale")
  func removed() async throws {
    let store = numbers()
    let value = StoredValue(store, forKey: "a", clock: time)
    await until { value.value == 1 && value.phase.isLoaded }
    try await store.removeObject(forKey: "a")
    await until { value.value == 2 && value.phase.isLoaded }
    try await store.expire(forKey: "a")
    await until { value.phase.isStale }
    #expect(value.value == 2 && loads.value == 2)
  }

  @Test("a value written during a load is shown, and the loaded one is not")
  func overtaken() async throws {
    let gate = Gate(holding: 1)
    let store = numbers(at: Shared(gate))
    let value = StoredValue(store, forKey: "a", clock: time)
    await gate.arrivals(1)
    try await store.setObject(100, forKey: "a")
    await until { value.value == 100 }
    let watcher = Watcher { value.value }
    gate.open()
    await until { store.loadsInFlight == 0 }
    // The next change is read after whatever the end of the load has caused.
    try await value.set(200)
    await until { watcher.seen.last == 200 }
    #expect(watcher.seen == [100, 200])
  }

  @Test(
    "a value that is not kept, or is stale at once, is loaded once",
    arguments: [(0.0, 1 as UInt, false), (60, 1, true), (60, 0, false)])
  func unkept(fresh: Double, limit: UInt, once: Bool) async throws {
    // A memory whose limit no value fits keeps none.
    let config =
      limit == 0
      ? MemoryConfig(totalCostLimit: 1, clock: time.clock) : MemoryConfig(clock: time.clock)
    let store = numbers(LoadPolicy(freshFor: .seconds(fresh)), config, once: once)
    let value = StoredValue(store, forKey: "a", clock: time)
    await until { value.value == 1 }
    for _ in 0..<100 { await Task.yield() }
    #expect(loads.value == 1)
    await value.refresh()
    #expect(value.value == 2 && loads.value == 2)
  }
}
