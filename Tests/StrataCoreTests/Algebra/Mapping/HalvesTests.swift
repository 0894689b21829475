import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import TestSupport
import Testing

@Suite struct HalvesTests {
  @Test func aHalfCannotBeCastToTheOther() {
    let store = DictionaryStorage(["a": 1])
    #expect(!(store.readOnly() is any WritableStorage))
    #expect(!(store.writeOnly() is any ReadableStorage))
    #expect(!(store.readOnly() is any StorageAware))
    #expect(!(store.readOnly().mapValues { $0 + 1 } is any WritableStorage))
    #expect(!(store.readOnly().mapKeys(to: Int.self) { "\($0)" } is any WritableStorage))
    #expect(!(store.writeOnly().mapKeys(to: Int.self) { "\($0)" } is any ReadableStorage))
  }

  @Test func valuesOfAHalfAreMappedInItsDirection() async throws {
    let store = DictionaryStorage(["a": 1])
    #expect(
      try await store.readOnly().mapValues(to: String.self) { "<\($0)>" }.retrieve(forKey: "a") == "<1>")
    try await store.writeOnly().mapValues(to: String.self) { $0.count }.set("four", forKey: "b")
    #expect(store.objects == ["a": 1, "b": 4])
  }

  @Test func aMappingOfAHalfThatThrowsChangesNothing() async {
    let store = DictionaryStorage(["a": 1])
    await #expect(throws: Failure.first) {
      try await store.writeOnly().mapValues(to: Int.self) { _ in throw Failure.first }.set(2, forKey: "a")
    }
    await #expect(throws: Failure.first) {
      try await store.readOnly().mapValues(to: Int.self) { _ in throw Failure.first }.retrieve(forKey: "a")
    }
    await #expect(throws: Failure.first) {
      try await store.mapKeys(to: Int.self) { _ in throw Failure.first }.set(2, forKey: 1)
    }
    #expect(store.objects == ["a": 1])
  }

  @Test func bothHalvesAreMappedWhereAStoreIsBothAndNoMore() async throws {
    let store = DictionaryStorage(["a": 1])
    let both = ComposedStorage(readable: store.readOnly(), writable: store.writeOnly())
    let mapped = both.mapValues(to: String.self, mapTo: { String($0) }, mapFrom: { $0.count })
      .mapKeys(to: Character.self) { String($0) }
    try await mapped.set("four", forKey: "b")
    #expect(try await mapped.retrieve(forKey: "b") == "4")
    #expect(store.objects == ["a": 1, "b": 4])
    #expect(!(mapped is any StorageAware))
  }

  @Test func transformedHalvesMakeUpAStore() async throws {
    let store = DictionaryStorage<String, Int>()
    let log = DictionaryStorage<String, String>()
    let transformed = store.transformingStorages(
      readable: { $0.mapValues { "value-\($0)" } }, writable: { $0.mapValues { $0.count } })
    try await transformed.set("three", forKey: "c")
    #expect(try await transformed.retrieve(forKey: "c") == "value-5")
    let diverted = transformed.transformingStorages(readable: { $0 }, writable: { _ in log })
    try await diverted.set("x", forKey: "c")
    #expect(try await diverted.retrieve(forKey: "c") == "value-5")
    #expect(log.objects == ["c": "x"])
  }

  @Test func aSingleKeyNeedsNoKey() async throws {
    let store = DictionaryStorage<String, Int>()
    let single = store.singleKey("only")
    await #expect(throws: StorageError.notFound) { try await single.retrieve() }
    try await single.set(3)
    #expect(store.objects == ["only": 3])
    #expect(try await single.retrieve() == 3)
    #expect(try await store.readOnly().singleKey("only").retrieve() == 3)
    try await store.writeOnly().singleKey("only").set(4)
    #expect(store.objects == ["only": 4])
  }
}
