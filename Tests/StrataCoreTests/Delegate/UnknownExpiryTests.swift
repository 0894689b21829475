import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import StrataTestKit
import TestSupport
import Testing

/// A chain that does not tell what it wraps, and by `traits` may tell its own expiry.
private struct Opaque<Base: StorageAware>: SimpleStorage {
  let base: Base
  let traits: StoreTraits

  init(base: Base, ownExpiry: Expiry? = .seconds(10)) {
    self.base = base
    traits = StoreTraits(ownExpiry: ownExpiry)
  }

  var clock: StorageClock { base.clock }
  func entryIfPresent(forKey key: Base.Key) async throws -> Entry<Base.Value>? {
    try await base.entryIfPresent(forKey: key)
  }
  func setObject(_ object: Base.Value, forKey key: Base.Key, expiry: Expiry?) async throws {
    try await base.setObject(object, forKey: key, expiry: expiry)
  }
  func removeObject(forKey key: Base.Key) async throws { try await base.removeObject(forKey: key) }
  func removeAll() async throws { try await base.removeAll() }
  func removeExpiredObjects() async throws { try await base.removeExpiredObjects() }
  func keys() async throws -> [Base.Key] { try await base.keys() }
}

@Suite("Cache strategies: the expiry of a value that is saved without one")
struct UnknownExpiryTests {
  /// Chains over one store whose values expire after 10 s.
  enum Kind: CaseIterable { case sync, async, opaque, delegate, opaqueDelegate, nestedDelegate }

  let time = ManualClock()
  let store: DictionaryStorage<String, Int>

  init() { store = DictionaryStorage(expiry: .seconds(10), clock: time.clock) }

  private func item(_ strategy: CacheStrategy, _ kind: Kind) -> any ItemStorage<Int> {
    let keyed = CacheStrategyStorage(store, cache: DictionaryStorage(clock: time.clock), strategy: strategy)
    let opaque = Opaque(base: store)
    return switch kind {
    case .sync: SyncFace(base: keyed).item(forKey: "a")
    case .async: keyed.item(forKey: "a")
    case .opaque:
      CacheStrategyStorage(opaque, cache: DictionaryStorage(clock: time.clock), strategy: strategy)
        .item(forKey: "a")
    case .delegate: StorageDelegate(store, forKey: "a", cacheStrategy: strategy)
    case .opaqueDelegate: StorageDelegate(opaque, forKey: "a", cacheStrategy: strategy)
    case .nestedDelegate:
      StorageDelegate(delegate: StorageDelegate(store, forKey: "a"), cacheStrategy: strategy)
    }
  }

  @Test(
    "a value that was saved while the store did not return its expiry is not served after it",
    arguments: [CacheStrategy.cache, .cacheOnFailure], Kind.allCases)
  func expiryFails(_ strategy: CacheStrategy, _ kind: Kind) async throws {
    let item = item(strategy, kind)
    store.fail(.read)
    try await item.save(item: 1)
    store.work()
    time.advance(by: 9)
    #expect(try await item.get() == 1)
    time.advance(by: 1)
    #expect(try await item.get() == nil)
    store.fail(.read)
    await #expect(throws: Failure.first) { try await item.get() }
  }

  @Test(
    "a value that the store failed to save is cached, and not longer than the store would have kept it",
    arguments: [CacheStrategy.cache, .cacheOnFailure], Kind.allCases)
  func saveFails(_ strategy: CacheStrategy, _ kind: Kind) async throws {
    let item = item(strategy, kind)
    store.fail(.write, .read)
    await #expect(throws: Failure.first) { try await item.save(item: 1) }
    #expect(try await item.get() == 1)
    time.advance(by: 10)
    await #expect(throws: Failure.first) { try await item.get() }
    store.work()
    #expect(try await item.get() == nil)
  }

  @Test("a value whose save failed while the store was down is not served a day later")
  func down() async throws {
    let faulty = FaultyStorage(store, seed: 1)
    let cache = DictionaryStorage<String, Int>(clock: time.clock)
    let chain = CacheStrategyStorage(faulty, cache: cache, strategy: .cache)
    faulty.isDown = true
    await #expect(throws: FaultyStorage<DictionaryStorage<String, Int>>.Fault.self) {
      try await chain.setObject(1, forKey: "a", expiry: nil)
    }
    #expect(try await chain.objectIfPresent(forKey: "a") == 1)
    faulty.isDown = false
    time.advance(by: 86_400)
    #expect(try await chain.objectIfPresent(forKey: "a") == nil)
  }

  @Test(
    "over a store of one's own that says nothing of expiry, a saved value stays cached although its expiry cannot be read",
    arguments: [CacheStrategy.cache, .cacheOnFailure], [false, true])
  func ownStore(_ strategy: CacheStrategy, _ isSaved: Bool) async throws {
    let forever = DictionaryStorage<String, Int>(clock: time.clock)
    let own = Opaque(base: forever, ownExpiry: nil)
    let link = CacheStrategyStorage(own, cache: DictionaryStorage(clock: time.clock), strategy: strategy)
    for item in [link.item(forKey: "a"), StorageDelegate(own, forKey: "b", cacheStrategy: strategy)]
      as [any ItemStorage<Int>]
    {
      forever.work()
      if isSaved {
        forever.fail(.read)
        try await item.save(item: 1)
      } else {
        forever.fail(.write, .read)
        await #expect(throws: Failure.first) { try await item.save(item: 1) }
      }
      time.advance(by: 86_400)
      #expect(try await item.get() == 1)
    }
  }

  @Test("one unknown expiry among many does not change the others", arguments: Half.allCases)
  func batch(_ half: Half) async throws {
    let cache = DictionaryStorage<String, Int>(clock: time.clock)
    let cached = CacheStrategyStorage(Opaque(base: store), cache: cache, strategy: .cache)
    let sync = CacheStrategyStorage(store, cache: cache, strategy: .cache)
    let link: any StorageAware<String, Int> = half == .sync ? SyncFace(base: sync) : cached
    // After the write, the first key whose expiry is read removes the other from the store.
    store.afterNextRead { [store] in for key in ["a", "b"] { try store.removeObject(forKey: key) } }
    try await link.setObjects(["a": 1, "b": 2], expiry: nil)
    #expect(cache.objects.count == 1)
    time.advance(by: 10)
    for key in ["a", "b"] { #expect(try await link.objectIfPresent(forKey: key) == nil) }
  }

  @Test(
    "an item of a cacheable delegate is not served after its expiry in the chain", arguments: [false, true])
  func cacheable(_ isOpaque: Bool) async throws {
    let inner: any ItemStorage<Int> =
      isOpaque ? Opaque(base: store).item(forKey: "a") : store.item(forKey: "a")
    let delegate = StorageDelegate(delegate: inner, cacheable: true)
    try await delegate.save(item: 1)
    #expect(try await delegate.get() == 1)
    time.advance(by: 10)
    #expect(try await delegate.get() == nil)
  }
}
