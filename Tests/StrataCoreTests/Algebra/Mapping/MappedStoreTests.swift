import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import TestSupport
import Testing

struct Refusal: Error, Equatable {}

/// Returns a view of numbers as texts. Reading an odd number fails, and so does writing the text "no".
private func texts(_ store: some SyncStorageAware<String, Int>) -> some SyncStorageAware<String, String> {
  store.mapValues(
    to: String.self,
    mapTo: { if $0.isMultiple(of: 2) { return String($0) } else { throw Refusal() } },
    mapFrom: { if let number = Int($0) { return number } else { throw Refusal() } })
}

/// Returns a view with the keys "key 1", "key 2", … as 1, 2, …; negative numbers are no keys.
private func numbered<V>(_ store: some SyncStorageAware<String, V>) -> some SyncStorageAware<Int, V> {
  store.mapKeys(
    to: Int.self, mapTo: { $0.hasPrefix("key ") ? Int($0.dropFirst(4)) : nil },
    mapFrom: { if $0 < 0 { throw Refusal() } else { return "key \($0)" } })
}

@Suite struct MappedStoreTests {
  @Test func cachedEntriesStayCached() throws {
    let store = RichStorage(DictionaryStorage(["key 1": 4]))
    #expect(texts(store).peek(forKey: "key 1") == Entry(object: "4", filePath: "/key 1"))
    #expect(numbered(store).peek(forKey: 1) == Entry(object: 4, filePath: "/key 1"))
    #expect(numbered(texts(store)).peek(forKey: 1)?.object == "4")
    #expect(texts(store).peek(forKey: "key 2") == nil)
  }

  @Test func aValueThatCannotBeMappedIsUnknownAndTheReadSaysWhy() {
    let store = RichStorage(DictionaryStorage(["key 1": 3]))
    #expect(texts(store).peek(forKey: "key 1") == nil)
    #expect(throws: Refusal.self) { try texts(store).object(forKey: "key 1") }
    #expect(numbered(store).peek(forKey: -1) == nil)
    #expect(throws: Refusal.self) { try numbered(store).object(forKey: -1) }
  }

  @Test(arguments: Half.allCases)
  func batchesStayBatches(half: Half) async throws {
    let store = RichStorage<Int>()
    let mapped = numbered(texts(store))
    let face: any StorageAware<Int, String> = half == .sync ? SyncFace(base: mapped) : mapped
    try await face.setObjects([1: "2", 2: "4", 3: "6"], expiry: .never)
    #expect(try await face.entries(forKeys: [1, 2, 9]).mapValues(\.object) == [1: "2", 2: "4"])
    #expect(try await face.entries(forKeys: [3])[3]?.filePath == "/key 3")
    try await face.removeInMemoryObject(forKey: 1)
    try await face.removeObjects(forKeys: [1, 2])
    try await face.removeAll()
    #expect(store.base.objects.isEmpty)
    #expect(
      store.batches.value == [
        #"write ["key 1", "key 2", "key 3"]"#, #"read ["key 1", "key 2", "key 9"]"#, #"read ["key 3"]"#,
        "forget key 1", #"remove ["key 1", "key 2"]"#, #"remove ["key 3"]"#,
      ])
  }

  @Test(arguments: Half.allCases)
  func aMappingThatThrowsChangesNothing(half: Half) async throws {
    let store = DictionaryStorage(["key 1": 2, "key 2": 3])
    let before = store.objects
    let values: any StorageAware<String, String> = half == .sync ? SyncFace(base: texts(store)) : texts(store)
    let keys: any StorageAware<Int, Int> = half == .sync ? SyncFace(base: numbered(store)) : numbered(store)

    await #expect(throws: Refusal.self) { try await values.setObject("no", forKey: "key 1") }
    await #expect(throws: Refusal.self) {
      try await values.setObjects(["key 1": "8", "key 3": "no"], expiry: nil)
    }
    await #expect(throws: Refusal.self) { try await values.entries(forKeys: ["key 1", "key 2"]) }
    await #expect(throws: Refusal.self) { try await values.set("no", forKey: "key 1") }
    await #expect(throws: Refusal.self) { try await keys.setObject(1, forKey: -1) }
    await #expect(throws: Refusal.self) { try await keys.setObjects([1: 9, -1: 9], expiry: nil) }
    await #expect(throws: Refusal.self) { try await keys.removeObjects(forKeys: [1, -1]) }
    await #expect(throws: Refusal.self) { try await keys.removeObject(forKey: -1) }
    #expect(store.objects == before)
    #expect(store.calls(.write) == 0)
  }

  @Test func errorsOfTheStoreComeThroughUnchanged() async {
    let store = DictionaryStorage<String, Int>(["key 1": 2])
    let mapped = numbered(texts(store))
    store.fail(.read, .write, .remove, .removeAll, .sweep, .keys, with: Failure.second)
    #expect(throws: Failure.second) { try mapped.entryIfPresent(forKey: 1) }
    #expect(throws: Failure.second) { try mapped.expiryIfPresent(forKey: 1) }
    #expect(throws: Failure.second) { try mapped.entries(forKeys: [1]) }
    #expect(throws: Failure.second) { try mapped.setObject("2", forKey: 1) }
    #expect(throws: Failure.second) { try mapped.removeObject(forKey: 1) }
    #expect(throws: Failure.second) { try mapped.keys() }
    #expect(throws: Failure.second) { try mapped.removeAll() }
    #expect(throws: Failure.second) { try mapped.removeExpiredObjects() }
    #expect(throws: Failure.second) { try texts(store).removeAll() }
    await #expect(throws: Failure.second) { try await store.readOnly().retrieve(forKey: "key 1") }
    await #expect(throws: Failure.second) { try await store.writeOnly().set(1, forKey: "key 1") }
    await #expect(throws: Failure.second) {
      try await store.readOnly().mapKeys(to: Int.self) { "\($0)" }.retrieve(forKey: 1)
    }
  }

  @Test func aStorageErrorGetsTheKeyAndAnyOtherIsUnchanged() throws {
    let store = RichStorage(DictionaryStorage(["a": 1]))
    let mapped = store.mapValues(
      to: Int.self, mapTo: { _ in throw StorageError.decodingFailed },
      mapFrom: { _ in throw StorageError.encodingFailed.with(key: "its own") })
    let read = try #require(throws: StorageError.self) { try mapped.object(forKey: "a") }
    #expect(read == .decodingFailed && read.key as? String == "a" && read.place == "/a")
    let write = try #require(throws: StorageError.self) { try mapped.setObject(1, forKey: "a") }
    #expect(write == .encodingFailed && write.key as? String == "its own")
  }

  @Test func aMappedStoreSharesTheCoordinatorOfItsStore() {
    let store = DictionaryStorage<String, Int>()
    #expect(texts(store).coordinator === store.coordinator && store.coordinator != nil)
    let keyed = numbered(store)
    let copy = keyed
    #expect(keyed.coordinator === copy.coordinator && keyed.coordinator != nil)
    #expect(numbered(store).coordinator !== keyed.coordinator)
  }

  @Test func clockAndBlockingAreThoseOfTheStore() {
    let time = ManualClock()
    let store = DictionaryStorage<String, Int>(clock: time.clock)
    let mapped = numbered(texts(store))
    #expect(mapped.clock.now == time.date)
    #expect(!mapped.mayBlock)
    #expect(numbered(texts(SyncFace(base: store))).mayBlock)
  }

  @Test func descriptionsOfLinks() {
    let store = DictionaryStorage<String, Int>()
    #expect(texts(store).storageName == "mapValues(to: String)")
    #expect(numbered(store).storageName == "mapKeys(to: Int)")
    #expect(store.singleKey("a").storageName == "singleKey(a)")
    #expect(store.readOnly().storageName == "readOnly")
    #expect(numbered(texts(store)).wrappedStorages.first?.storageName == "mapValues(to: String)")
  }
}

@Suite struct PartialKeyTests {
  private enum Pet: String { case cat, dog }

  @Test func keysOfOthersAreNeitherListedNorRemoved() throws {
    let time = ManualClock()
    let store = DictionaryStorage<String, Int>(clock: time.clock)
    let mapped = numbered(store)
    try blocking {
      try store.setObjects(["key 1": 1, "key 2": 2, "other": 3], expiry: nil)
      try mapped.setObject(4, forKey: 4, expiry: .seconds(1))
      #expect(try mapped.keys().sorted() == [1, 2, 4])
      #expect(try mapped.allObjects().sorted() == [1, 2, 4])
      time.advance(by: 2)
      try mapped.removeAll()
    }
    #expect(store.objects == ["other": 3])
    #expect(store.calls(.removeAll) == 0)
  }

  @Test func anErrorOnTheWayBackIsNotSwallowed() {
    let store = DictionaryStorage(["x": 1])
    let mapped = store.mapKeys(to: Int.self, mapTo: { _ in throw Refusal() }, mapFrom: { "\($0)" })
    #expect(throws: Refusal.self) { try mapped.keys() }
    #expect(throws: Refusal.self) { try mapped.removeAll() }
    #expect(store.objects == ["x": 1])
  }

  @Test func rawValuesAreMappedBothWays() throws {
    let store = DictionaryStorage(["cat": 1, "cow": 2])
    let pets = store.mapKeys(to: Pet.self)
    try blocking {
      try pets.setObject(3, forKey: .dog)
      #expect(Set(try pets.keys()) == [.cat, .dog])
    }
    #expect(store.objects == ["cat": 1, "cow": 2, "dog": 3])
  }
}
