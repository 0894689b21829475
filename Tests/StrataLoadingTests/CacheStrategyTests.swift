import Strata
import TestSupport
import Testing

@Suite("Loading behind a cache strategy", .timeLimit(.minutes(5)), .endsInTime)
struct CacheStrategyTests {
  @Test("a value that a loading store failed to save is not served after the policy's time")
  func failedSave() async throws {
    let time = ManualClock()
    let store = DictionaryStorage<String, Int>(clock: time.clock)
    let loading = store.loading(LoadPolicy(freshFor: .seconds(10)), clock: time) { (_: String) in 2 }
    let cached = loading.cacheStrategy(.cache, memory: MemoryConfig(clock: time.clock))
    store.fail(.write)
    await #expect(throws: Failure.first) { try await cached.setObject(1, forKey: "a", expiry: nil) }
    #expect(try await cached.objectIfPresent(forKey: "a") == 1)
    time.advance(by: .seconds(10))
    #expect(try await cached.objectIfPresent(forKey: "a") == 2)
  }
}
