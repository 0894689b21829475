import Foundation
import StrataCore
import TestSupport
import Testing

/// What links say without waiting.
@Suite("What is at hand")
struct AtHandTests {
  let time = ManualClock()
  let base: DictionaryStorage<String, Int>

  init() throws {
    base = DictionaryStorage(clock: time.clock)
    try base.setObject(1, forKey: "a")
    try base.setObject(2, forKey: "b", expiry: .seconds(10))
  }

  @Test("a store that never waits has all at hand")
  func neverWaits() throws {
    let later = Expiry.seconds(10).resolved(by: time.clock)
    #expect(base.entryAtHand(forKey: "a") == .found(Entry(object: 1)))
    #expect(base.entryAtHand(forKey: "b") == .found(Entry(object: 2, expiry: later)))
    #expect(base.expiryAtHand(forKey: "b") == .found(later))
    #expect(base.entryAtHand(forKey: "x") == .absent)
    #expect(base.expiryAtHand(forKey: "x") == .absent)
    time.advance(by: 10)
    #expect(base.entryAtHand(forKey: "b") == .found(Entry(object: 2, expiry: later)), "as a read tells it")
    base.fail(.read)
    #expect(base.entryAtHand(forKey: "a") == .unknown, "why, the read tells")
    #expect(base.expiryAtHand(forKey: "a") == .unknown)
  }

  @Test("a store that may wait has at hand what a peek shows, unless it has expired")
  func mayWait() throws {
    #expect(MinimalSyncStorage(base: base).entryAtHand(forKey: "a") == .unknown)
    #expect(MinimalSyncStorage(base: base).expiryAtHand(forKey: "x") == .unknown)
    #expect(base.calls(.read) == 0)
    let store = SyncFace(base: DictionaryStorage<String, Int>(clock: time.clock, peeks: true))
    try blocking { try store.setObject(1, forKey: "a", expiry: .seconds(10)) }
    let expiry = Expiry.seconds(10).resolved(by: time.clock)
    #expect(store.entryAtHand(forKey: "a") == .found(Entry(object: 1, expiry: expiry)))
    #expect(store.expiryAtHand(forKey: "a") == .found(expiry))
    #expect(store.entryAtHand(forKey: "x") == .unknown)
    time.advance(by: 10)
    #expect(store.entryAtHand(forKey: "a") == .unknown, "a tier behind may have a newer one")
    #expect(store.base.calls(.read) == 0)
  }

  @Test("links that add nothing to a read pass it on")
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
      #expect(named.entryAtHand(forKey: "<a>") == (isReady ? .found(Entry(object: 1)) : .unknown))
      #expect(named.expiryAtHand(forKey: "<x>") == (isReady ? .absent : .unknown))
      #expect(named.entryAtHand(forKey: "") == .unknown)
      #expect(obscured.entryAtHand(forKey: "a") == (isReady ? .found(Entry(object: 1)) : .unknown))
      #expect(obscured.expiryAtHand(forKey: "x") == (isReady ? .absent : .unknown))
      #expect(ordered.entryAtHand(forKey: "a") == (isReady ? .found(Entry(object: 1)) : .unknown))
      #expect(ordered.expiryAtHand(forKey: "x") == (isReady ? .absent : .unknown))
    }
  }

  @Test("a link with an order of its own says nothing of a key that is in use")
  func inUse() throws {
    let ordered = SyncStorage(HesitantStorage(base))
    try ordered.update(forKey: "a") { value in
      let isKnown = Locked(true)
      onAnotherThread {
        let known =
          ordered.entryAtHand(forKey: "a") != .unknown || ordered.expiryAtHand(forKey: "a") != .unknown
        isKnown.withLock { $0 = known }
        #expect(ordered.entryAtHand(forKey: "x") == .absent, "another key is free")
      }
      #expect(!isKnown.withLock { $0 })
      value = 7
    }
    #expect(ordered.entryAtHand(forKey: "a") == .found(Entry(object: 7)))
  }
}
