import TestSupport
import Testing

@testable import StrataAlgebra
@testable import StrataCore
@testable import StrataDelegate
@testable import StrataEngines

struct RecoverTests {
  private let time = ManualClock()
  private let base: DictionaryStorage<String, Int>

  init() { base = DictionaryStorage(clock: time.clock) }

  @Test(
    "defaulting replaces absent and expired values; a call that can throw still throws failures",
    arguments: Half.allCases)
  func defaulting(half: Half) async throws {
    let store = seen(base.defaulting(to: 7), through: half)
    try await base.setObject(1, forKey: "a", expiry: .seconds(60))
    #expect(try await store.object(forKey: "a") == 1)
    time.advance(by: 61)
    for key in ["a", "b"] {
      #expect(try await store.object(forKey: key) == 7)
      #expect(try await store.objectIfPresent(forKey: key) == 7)
      #expect(try await store.entry(forKey: key).object == 7)
      #expect(try await store.retrieve(forKey: key) == 7)
    }
    #expect(try await store.entries(forKeys: ["a", "b"]).mapValues(\.object) == ["a": 7, "b": 7])
    base.fail(.read)
    await #expect(throws: Failure.first) { try await store.object(forKey: "b") }
    await #expect(throws: Failure.first) { try await store.entries(forKeys: ["b"]) }
  }

  @Test(
    "a default is not stored: existence, keys and expiry do not change", arguments: Half.allCases)
  func notStored(half: Half) async throws {
    let store = seen(base.defaulting(to: 7), through: half)
    #expect(try await store.object(forKey: "b") == 7)
    #expect(try await store.objectExists(forKey: "b") == false)
    #expect(try await store.isExpiredObject(forKey: "b"))
    #expect(try await store.keys().isEmpty)
    #expect(try await store.allObjects().isEmpty)
    #expect(try await store.expiryIfPresent(forKey: "b") == nil)
    #expect(store.peek(forKey: "b") == nil)
    #expect(base.objects.isEmpty && base.calls(.write) == 0)
    try await store.setObjects(["b": 1, "c": 2], expiry: .seconds(60))
    try await store.removeObject(forKey: "c")
    #expect(base.objects == ["b": 1])
    #expect(try await store.objectExists(forKey: "b"))
    #expect(try await store.keys() == ["b"])
  }

  @Test("recover receives every error, and absence as .notFound with its key", arguments: Half.allCases)
  func recover(half: Half) async throws {
    let seenErrors = Shared<[any Error]>([])
    let store = seen(
      base.recover { error -> Int in
        seenErrors.change { $0.append(error) }
        if case Failure.second = error { throw error }
        return 9
      }, through: half)
    #expect(try await store.object(forKey: "b") == 9)
    #expect((seenErrors.value.last as? StorageError)?.key as? String == "b")
    base.fail(.read)
    #expect(try await store.object(forKey: "b") == 9)
    #expect(seenErrors.value.last as? Failure == .first)
    #expect(try await store.entries(forKeys: ["a", "b"]).mapValues(\.object) == ["a": 9, "b": 9])
    base.fail(.read, with: Failure.second)
    await #expect(throws: Failure.second) { try await store.object(forKey: "b") }
  }

  @Test("a recovery that throws .notFound leaves the value absent", arguments: Half.allCases)
  func stillAbsent(half: Half) async throws {
    let store = seen(base.recover { error -> Int in throw error }, through: half)
    #expect(try await store.objectIfPresent(forKey: "b") == nil)
    #expect(try await store.entries(forKeys: ["b"]).isEmpty)
    await #expect(throws: StorageError.notFound) { try await store.object(forKey: "b") }
  }

  @Test(
    "stored values are returned unchanged: the result equals the store where no value is missing",
    arguments: Half.allCases)
  func law(half: Half) async throws {
    try await base.setObjects(["a": 1, "b": 2], expiry: .seconds(60))
    for store in [seen(base.defaulting(to: 7), through: half), seen(base.recover { _ in 8 }, through: half)] {
      for key in ["a", "b"] { #expect(try await store.entry(forKey: key) == base.entry(forKey: key)) }
      #expect(try await store.entries(forKeys: ["a", "b"]) == base.entries(forKeys: ["a", "b"]))
      #expect(try await Set(store.keys()) == Set(base.keys()))
    }
  }

  @Test("a store that cannot fail is read without try, with and without await") func nonFallible() async {
    let safe = base.recover { _ in 8 }
    let value = await safe.retrieve(forKey: "b")
    #expect(value == 8 && blocking { safe.retrieve(forKey: "b") } == 8)
    let slow = SlowStorage(base).recover { _ in
      await Task.yield()
      return 6
    }
    let plain = PlainStore(base).recover { _ in 5 }
    let readOnly = ReadHalf(base: PlainStore(base)).recover { _ in 4 }
    base.fail(.read)
    #expect(await slow.retrieve(forKey: "b") == 6)
    #expect(await plain.retrieve(forKey: "b") == 5)
    #expect(await readOnly.retrieve(forKey: "b") == 4)
    #expect(blocking { safe.retrieve(forKey: "b") } == 8)
  }

  @Test("plain stores have recover and defaulting too") func plain() async throws {
    let store = PlainStore(base)
    let defaulting = store.defaulting(to: 7)
    #expect(await defaulting.retrieve(forKey: "b") == 7)
    try await defaulting.set(1, forKey: "b")
    #expect(await ReadHalf(base: store).defaulting(to: 7).retrieve(forKey: "b") == 1)
    let recovered = store.recover { error in
      if case StorageError.notFound = error { return 3 }
      throw error
    }
    #expect(try await recovered.retrieve(forKey: "c") == 3)
    base.fail(.read)
    await #expect(throws: Failure.first) { try await recovered.retrieve(forKey: "c") }
    #expect(await defaulting.retrieve(forKey: "c") == 7)
  }
}
