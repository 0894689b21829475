import Foundation
import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import TestSupport
import Testing

@Suite("Coherence through other links", .timeLimit(.minutes(10)))
struct CoherencePassingTests {
  typealias Store = AnnouncingStorage<Int>

  /// Expects a front over a combinator to follow the inner store's invalidations, with mapped keys if `Key` differs.
  private func expectFollows<Key: Sendable>(
    _ link: some StorageAware<Key, Int>, _ key: Key, _ store: Store, _ other: Store
  ) async throws {
    try blocking { try other.setObject(1, forKey: "1") }
    let chain = DictionaryStorage<Key, Int>(peeks: true).combined(with: link)
    #expect(try await chain.entryIfPresent(forKey: key)?.object == 1)
    #expect(chain.peek(forKey: key)?.object == 1)
    try blocking { try other.setObject(2, forKey: "1") }
    store.deliverAll()
    #expect(try await chain.entryIfPresent(forKey: key)?.object == 2)
    store.cut()
    try blocking { try other.setObject(3, forKey: "1") }
    store.noticeLoss()
    #expect(try await chain.entryIfPresent(forKey: key)?.object == 3)
  }

  @Test("a front follows the invalidations of a store below links of all kinds")
  func links() async throws {
    let server = AnnouncingServer<Int>()
    let other = Store(server)
    func store() -> Store { Store(server) }
    for number in 0..<9 {
      let store = store()
      switch number {
      case 0:
        try await expectFollows(
          store.mapValues(to: Int.self, mapTo: { $0 }, mapFrom: { $0 }), "1", store, other)
      case 1:
        try await expectFollows(
          store.mapKeys(to: Int.self, mapTo: { Int($0) }, mapFrom: { "\($0)" }), 1, store, other)
      case 2: try await expectFollows(store.recover { throw $0 }, "1", store, other)
      case 3: try await expectFollows(store.serial(), "1", store, other)
      case 4: try await expectFollows(store.obscureWrappedStorages(), "1", store, other)
      case 5: try await expectFollows(SyncStorage(store), "1", store, other)
      case 6:
        try await expectFollows(DictionaryStorage<String, Int>().combined(with: store), "1", store, other)
      case 7: try await expectFollows(store.pushing(to: DictionaryStorage<String, Int>()), "1", store, other)
      default:
        let zipped = zip(store, DictionaryStorage<String, Int>(["1": 0]))
        try await expectFollows(
          zipped.mapValues(to: Int.self, mapTo: { $0.0 }, mapFrom: { ($0, 0) }), "1", store, other)
      }
    }
  }

  @Test("an invalidated key that cannot be mapped empties the front; a key of another part changes nothing")
  func foreignKeys() async throws {
    let server = AnnouncingServer<Int>()
    let store = Store(server)
    let other = Store(server)
    let numbers = store.mapKeys(
      to: Int.self,
      mapTo: { key in
        if key == "broken" { throw Failure.first }
        return Int(key)
      }, mapFrom: { "\($0)" })
    let front = DictionaryStorage<Int, Int>(peeks: true)
    let chain = front.combined(with: numbers)
    try blocking { try other.setObjects(["1": 1, "foreign": 1, "broken": 1], expiry: nil) }
    #expect(try await chain.entryIfPresent(forKey: 1)?.object == 1)
    _ = try blocking { try store.entries(forKeys: ["foreign", "broken"]) }
    try blocking { try other.setObject(2, forKey: "foreign") }
    store.deliverAll()
    #expect(chain.peek(forKey: 1)?.object == 1)
    try blocking { try other.setObject(2, forKey: "broken") }
    store.deliverAll()
    #expect(chain.peek(forKey: 1) == nil)
  }

  @Test("a change invalidates views of other types, for sync and async callers")
  func views() async throws {
    let server = AnnouncingServer<Data>()
    let ours = AnnouncingStorage(server)
    let other = AnnouncingStorage(server)
    let hybrid = HybridStorage(front: DictionaryStorage<String, TypeWrapper>(peeks: true), back: ours)
    let numbers = TypeWrapperStorage(hybrid, transformer: .codable(Int.self))
    let doubles = numbers.transform(to: Double.self)
    try blocking { try other.setObject(Data("1".utf8), forKey: "a") }
    #expect(try blocking { try numbers.object(forKey: "a") } == 1)
    #expect(try await doubles.object(forKey: "a") == 1)
    try blocking { try other.setObject(Data("2".utf8), forKey: "a") }
    ours.deliverAll()
    #expect(doubles.peek(forKey: "a") == nil)
    #expect(try blocking { try doubles.object(forKey: "a") } == 2)
    #expect(try await numbers.object(forKey: "a") == 2)
  }

  @Test("a front that cannot remove is used without coherence")
  func plainFront() async throws {
    let front = PlainStore(DictionaryStorage<String, Int>())
    let back = Store(AnnouncingServer())
    let chain = front.combined(with: back)
    for number in 1...2 {
      try await chain.set(number, forKey: "a")
      #expect(try await front.retrieve(forKey: "a") == number)
      back.deliverAll()
      #expect(try await chain.retrieve(forKey: "a") == number)
    }
  }

  @Test("a released front receives no invalidations")
  func gone() throws {
    let store = Store(AnnouncingServer())
    let front = DictionaryStorage<String, Int>(["a": 1])
    do { _ = CombinedStorage(front: front, back: store) }
    let calls = front.calls(.remove)
    store.invalidationSource?.changed(["a"])
    #expect(front.calls(.remove) == calls)
  }
}
