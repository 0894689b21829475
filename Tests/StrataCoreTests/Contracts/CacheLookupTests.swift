import Foundation
import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import TestSupport
import Testing

/// Tests of combinators' results without waiting.
@Suite("Cached entries")
struct CacheLookupTests {
  let time = ManualClock()
  let base: DictionaryStorage<String, Int>

  init() throws {
    base = DictionaryStorage(clock: time.clock)
    try base.setObject(1, forKey: "a")
    try base.setObject(2, forKey: "b", expiry: .seconds(10))
  }

  @Test("a store that never blocks returns every entry without waiting")
  func neverWaits() throws {
    let later = Expiry.seconds(10).resolved(by: time.clock)
    #expect(base.cachedEntry(forKey: "a") == .found(Entry(object: 1)))
    #expect(base.cachedEntry(forKey: "b") == .found(Entry(object: 2, expiry: later)))
    #expect(base.cachedExpiry(forKey: "b") == .found(later))
    #expect(base.cachedEntry(forKey: "x") == .absent)
    #expect(base.cachedExpiry(forKey: "x") == .absent)
    time.advance(by: 10)
    #expect(base.cachedEntry(forKey: "b") == .found(Entry(object: 2, expiry: later)), "as a read tells it")
    base.fail(.read)
    #expect(base.cachedEntry(forKey: "a") == .unknown, "why, the read tells")
    #expect(base.cachedExpiry(forKey: "a") == .unknown)
  }

  @Test("a store that may block returns the entry that a peek returns, unless it has expired")
  func mayWait() throws {
    #expect(MinimalSyncStorage(base: base).cachedEntry(forKey: "a") == .unknown)
    #expect(MinimalSyncStorage(base: base).cachedExpiry(forKey: "x") == .unknown)
    #expect(base.calls(.read) == 0)
    let store = SyncFace(base: DictionaryStorage<String, Int>(clock: time.clock, peeks: true))
    try blocking { try store.setObject(1, forKey: "a", expiry: .seconds(10)) }
    let expiry = Expiry.seconds(10).resolved(by: time.clock)
    #expect(store.cachedEntry(forKey: "a") == .found(Entry(object: 1, expiry: expiry)))
    #expect(store.cachedExpiry(forKey: "a") == .found(expiry))
    #expect(store.cachedEntry(forKey: "x") == .unknown)
    time.advance(by: 10)
    #expect(store.cachedEntry(forKey: "a") == .unknown, "a tier behind may have a newer one")
    #expect(store.base.calls(.read) == 0)
  }

  @Test("combinators that leave reads unchanged forward the lookup")
  func passing() throws {
    let store = HesitantStorage(base)
    let named = store.mapKeys(
      to: String.self, mapTo: { "<\($0)>" },
      mapFrom: { key in
        if key.isEmpty { throw Failure.first }
        return String(key.dropFirst().dropLast())
      })
    let obscured = store.obscureWrappedStorages()
    let ordered = SyncStorage(store)
    for isReady in [true, false] {
      store.isReady = isReady
      #expect(named.cachedEntry(forKey: "<a>") == (isReady ? .found(Entry(object: 1)) : .unknown))
      #expect(named.cachedExpiry(forKey: "<x>") == (isReady ? .absent : .unknown))
      #expect(named.cachedEntry(forKey: "") == .unknown)
      #expect(obscured.cachedEntry(forKey: "a") == (isReady ? .found(Entry(object: 1)) : .unknown))
      #expect(obscured.cachedExpiry(forKey: "x") == (isReady ? .absent : .unknown))
      #expect(ordered.cachedEntry(forKey: "a") == (isReady ? .found(Entry(object: 1)) : .unknown))
      #expect(ordered.cachedExpiry(forKey: "x") == (isReady ? .absent : .unknown))
    }
  }

  /// Returns whether a store returns its entry of "a", and the absence of "x", without waiting.
  private func knows<S: SyncStorageAware<String, Int>>(_ store: S) -> Bool {
    let said = (store.cachedEntry(forKey: "a"), store.cachedEntry(forKey: "x"))
    let expiries = (store.cachedExpiry(forKey: "a"), store.cachedExpiry(forKey: "x"))
    if said == (.unknown, .unknown) && expiries == (.unknown, .unknown) { return false }
    #expect(said == (.found(Entry(object: 1)), .absent))
    #expect(expiries == (.found(.never), .absent))
    return true
  }

  @Test(
    "combinators over one store return what its lookup returns, and do not wait for the store",
    arguments: [true, false])
  func passingOn(_ isReady: Bool) throws {
    let store = HesitantStorage(base)
    store.isReady = isReady
    let other = DictionaryStorage<String, Int>(clock: time.clock)
    func cached(_ strategy: CacheStrategy) -> some SyncStorageAware<String, Int> {
      CacheStrategyStorage(
        store, cache: DictionaryStorage<String, Int>(clock: time.clock), strategy: strategy)
    }
    #expect(knows(store.mapValues(to: Int.self, mapTo: { $0 }, mapFrom: { $0 })) == isReady)
    #expect(knows(store.pushing(to: other)) == isReady)
    #expect(knows(cached(.noCache)) == isReady)
    #expect(knows(cached(.cache)) == isReady)
    #expect(knows(zip(store, base).mapValues(to: Int.self, mapTo: \.0, mapFrom: { ($0, $0) })) == isReady)
    let second = zip(base, store)
    #expect(second.cachedEntry(forKey: "a").isUnknown == !isReady)
    #expect(second.cachedEntry(forKey: "x").isAbsent, "one part is not there")
    let failing = cached(.cacheOnFailure)
    #expect(failing.cachedEntry(forKey: "a") == .unknown, "the cache is to hear of the answer")
    let recovered = store.recover { throw $0 }
    #expect(recovered.cachedEntry(forKey: "a") == (isReady ? .found(Entry(object: 1)) : .unknown))
    #expect(recovered.cachedEntry(forKey: "x") == .unknown, "the recovery may know more")
  }

  @Test("a pair that is being written is unknown to the lookup")
  func pairs() async throws {
    let gate = ThreadGate()
    let halting = base.mapValues(
      to: Int.self, mapTo: { $0 },
      mapFrom: {
        gate.pass()
        return $0
      })
    let zipped = zip(halting, DictionaryStorage<String, Int>(clock: time.clock))
    async let write: Void = onThread { try zipped.setObject((1, 2), forKey: "a", expiry: nil) }
    await gate.arrival()
    let said = Locked<[Bool]>([])
    // On a thread of its own, so that the test ends even if the call blocks.
    async let look: Void = onThread {
      let isUnknown = (
        zipped.cachedEntry(forKey: "a").isUnknown, zipped.cachedExpiry(forKey: "a") == .unknown
      )
      said.withLock { $0 = [isUnknown.0, isUnknown.1] }
    }
    await until { said.withLock { !$0.isEmpty } }
    gate.open()
    try await write
    try await look
    #expect(said.withLock { $0 } == [true, true])
    #expect(zipped.cachedEntry(forKey: "a").map(\.object.1) == .found(2))
  }

  @Test("a combinator with its own order returns unknown for a key in use")
  func inUse() throws {
    let ordered = SyncStorage(HesitantStorage(base))
    try ordered.update(forKey: "a") { value in
      let isKnown = Locked(true)
      onAnotherThread {
        let known =
          ordered.cachedEntry(forKey: "a") != .unknown || ordered.cachedExpiry(forKey: "a") != .unknown
        isKnown.withLock { $0 = known }
        #expect(ordered.cachedEntry(forKey: "x") == .absent, "another key is free")
      }
      #expect(!isKnown.withLock { $0 })
      value = 7
    }
    #expect(ordered.cachedEntry(forKey: "a") == .found(Entry(object: 7)))
  }
}
