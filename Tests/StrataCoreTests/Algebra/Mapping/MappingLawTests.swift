import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import TestSupport
import Testing

typealias AnyStore = any StorageAware<String, Int>

/// A law: two ways to derive a store from another that must have the same results.
struct Law: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let left: @Sendable (AnyStore) -> AnyStore
  let right: @Sendable (AnyStore) -> AnyStore

  static let all = [
    Law(
      testDescription: "identity of mapValues",
      left: { $0.mapValues(mapTo: { $0 }, mapFrom: { $0 }) }, right: { $0 }),
    Law(
      testDescription: "composition of mapValues",
      left: {
        $0.mapValues(to: Int.self, mapTo: { $0 + 1 }, mapFrom: { $0 - 1 })
          .mapValues(to: Int.self, mapTo: { -$0 }, mapFrom: { -$0 })
      },
      right: { $0.mapValues(to: Int.self, mapTo: { -($0 + 1) }, mapFrom: { -$0 - 1 }) }),
    Law(
      testDescription: "identity of mapKeys",
      left: { $0.mapKeys(to: String.self, mapTo: { $0 }, mapFrom: { $0 }) }, right: { $0 }),
    Law(
      testDescription: "composition of mapKeys",
      left: { prefixed("q", prefixed("p", $0)) }, right: { prefixed("pq", $0) }),
    Law(
      testDescription: "mapKeys and mapValues in either order",
      left: { prefixed("p", $0.mapValues(to: Int.self, mapTo: { $0 * 2 }, mapFrom: { $0 / 2 })) },
      right: { prefixed("p", $0).mapValues(to: Int.self, mapTo: { $0 * 2 }, mapFrom: { $0 / 2 }) }),
  ]
}

/// Returns the part of a store whose keys have a prefix.
func prefixed(_ prefix: String, _ store: AnyStore) -> AnyStore {
  store.mapKeys(
    to: String.self, mapTo: { $0.hasPrefix(prefix) ? String($0.dropFirst(prefix.count)) : nil },
    mapFrom: { prefix + $0 })
}

@Suite struct MappingLawTests {
  @Test(arguments: Law.all, Soak.sample(StoreKind.uses, oneIn: 3))
  func bothSidesAreTheSameStoreWhateverIsDone(law: Law, use: (StoreKind, Half)) async throws {
    for seed in 0..<4 as Range<UInt64> {
      let time = ManualClock()
      let bases = [use.0.make(clock: time.clock), use.0.make(clock: time.clock)]
      let stores = [try used(law.left(bases[0]), use.1), try used(law.right(bases[1]), use.1)]
      for base in bases { try await base.setObject(7, forKey: "p", expiry: nil) }
      var generator = SeededGenerator(seed: seed)
      for _ in 0..<40 {
        let step = Step.random(using: &generator)
        try await step.apply(to: stores[0], time)
        if case .wait = step {} else { try await step.apply(to: stores[1], time) }
        for pair in [stores, bases] {
          let sights = try await [
            Sight(of: pair[0], Step.names + ["p", "d"]), Sight(of: pair[1], Step.names + ["p", "d"]),
          ]
          #expect(sights[0] == sights[1], "after \(step), seed \(seed)")
        }
      }
    }
  }

  @Test(arguments: StoreKind.uses)
  func mappedStoresAgreeWithTheirStoreUpToTheMapping(use: (StoreKind, Half)) async throws {
    let time = ManualClock()
    let base = use.0.make(clock: time.clock)
    let mapped = try used(
      prefixed("p", base).mapValues(to: Int.self, mapTo: { $0 * 10 }, mapFrom: { $0 / 10 }), use.1)
    try await mapped.setObject(50, forKey: "x", expiry: .seconds(5))
    try await base.setObject(6, forKey: "other", expiry: nil)

    #expect(try await base.entryIfPresent(forKey: "px")?.object == 5)
    #expect(try await mapped.entryIfPresent(forKey: "x")?.object == 50)
    #expect(try await mapped.expiryIfPresent(forKey: "x") == base.expiryIfPresent(forKey: "px"))
    #expect(try await mapped.keys() == ["x"])
    time.advance(by: 6)
    #expect(try await mapped.objectIfPresent(forKey: "x") == nil)
    #expect(try await mapped.entryIfPresent(forKey: "x")?.object == 50)
    try await mapped.removeExpiredObjects()
    #expect(try await base.entryIfPresent(forKey: "px") == nil)
    #expect(try await base.keys() == ["other"])
  }

  @Test(arguments: StoreKind.allCases)
  func theHalvesPutTogetherAreTheStore(kind: StoreKind) async throws {
    let store = kind.make(clock: .system)
    func recomposed(_ store: some StorageAware<String, Int>) -> any ReadableStorage<String, Int>
      & WritableStorage<String, Int>
    {
      ComposedStorage(readable: store.readOnly(), writable: store.writeOnly())
    }
    let composed = recomposed(store)
    try await composed.set(1, forKey: "a")
    #expect(try await store.object(forKey: "a") == 1)
    try await store.setObject(2, forKey: "b")
    #expect(try await composed.retrieve(forKey: "b") == 2)
    await #expect(throws: StorageError.notFound) { try await composed.retrieve(forKey: "c") }
  }

  @Test func onlyWhatIsSynchronousStaysSynchronous() {
    func mapped(_ store: AnyStore) -> [AnyStore] {
      [prefixed("p", store), store.mapValues(mapTo: { $0 }, mapFrom: { $0 })]
    }
    for kind in StoreKind.allCases {
      for store in mapped(kind.make(clock: .system)) {
        #expect((store is any SyncStorageAware<String, Int>) == (kind != .slow))
      }
    }
  }
}
