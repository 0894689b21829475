import Foundation
import TestSupport
import Testing

@testable import StrataAlgebra
@testable import StrataCore
@testable import StrataDelegate
@testable import StrataEngines

@Suite("A default")
struct DefaultingTests {
  private let base = DictionaryStorage<String, Int>(["a": 1])

  @Test("retrieve of a defaulted store needs no try, and returns the default after failures too")
  func nonFallible() async throws {
    let quick = base.defaulting(to: 7)
    let slow = SlowStorage(base).defaulting(to: 7)
    let plain = PlainStore(base).defaulting(to: 7)
    let half = ReadHalf(base: PlainStore(base)).defaulting(to: 7)
    let single = base.singleKey("a").defaulting(to: 7)
    for isBroken in [false, true] {
      if isBroken { base.fail(.read) }
      let present = isBroken ? 7 : 1
      #expect(await quick.retrieve(forKey: "a") == present)
      #expect(await slow.retrieve(forKey: "a") == present)
      #expect(await plain.retrieve(forKey: "a") == present)
      #expect(await half.retrieve(forKey: "a") == present)
      #expect(await single.retrieve() == present)
      #expect(await quick.retrieve(forKey: "b") == 7)
      #expect(blocking { quick.retrieve(forKey: "a") } == present)
      let erased: any ReadableStorage<String, Int> = quick
      #expect(try await erased.retrieve(forKey: "a") == present, "it is the same function under any type")
    }
  }

  @Test("the defaulted store can still remove and list, and can be mapped")
  func stays() async throws {
    let quick: some SyncStorageAware<String, Int> = base.defaulting(to: 7)
    let slow: some StorageAware<String, Int> = SlowStorage(base).defaulting(to: 7)
    try await slow.setObject(2, forKey: "b")
    #expect(try blocking { try quick.keys().sorted() } == ["a", "b"])
    try await slow.removeObject(forKey: "a")
    #expect(base.objects == ["b": 2])
    let mapped = base.defaulting(to: 7).mapValues(to: String.self, mapTo: { "\($0)" }, mapFrom: { Int($0)! })
    #expect(try blocking { try mapped.mapKeys(to: Key.self).object(forKey: .a) } == "7")
    #expect(try await base.defaulting(to: 7).singleKey("a").retrieve() == 7)
    try await PlainStore(base).defaulting(to: 7).set(3, forKey: "a")
    #expect(base.objects == ["a": 3, "b": 2])
  }

  @Test("the default is computed for each read that needs it, and for no other")
  func anew() async throws {
    let ids = DictionaryStorage<String, UUID>().defaulting(to: UUID())
    #expect(
      await Set([ids.retrieve(forKey: "a"), ids.retrieve(forKey: "a"), ids.retrieve(forKey: "b")]).count == 3)
    #expect(try await Set(ids.entries(forKeys: ["a", "b"]).values.map(\.object)).count == 2)

    let made = Shared(0)
    let counting = base.defaulting(to: made.counted())
    #expect(made.value == 0 && blocking { counting.retrieve(forKey: "a") } == 1 && made.value == 0)
    #expect(blocking { counting.retrieve(forKey: "b") } == 1)
    #expect(try await counting.object(forKey: "c") == 2)
    #expect(await PlainStore(base).defaulting(to: made.counted()).retrieve(forKey: "d") == 3)
  }

  @Test("the default may depend on the key")
  func ofTheKey() async throws {
    let names = DictionaryStorage<String, String>(["a": "Ada"])
    let quick = names.defaulting { key in "no \(key)" }
    #expect(try await quick.entries(forKeys: ["a", "b"]).mapValues(\.object) == ["a": "Ada", "b": "no b"])
    #expect(blocking { quick.retrieve(forKey: "c") } == "no c")
    let slow = SlowStorage(names).defaulting { "no \($0)" }
    let (plain, half) = (
      PlainStore(names).defaulting { "no \($0)" }, names.readOnly().defaulting { "no \($0)" }
    )
    #expect(await slow.retrieve(forKey: "b") == "no b")
    #expect(await plain.retrieve(forKey: "b") == "no b")
    #expect(await half.retrieve(forKey: "b") == "no b")
  }

  @Test("an update does not start from the default if the value could not be read")
  func updates() async throws {
    let texts = base.mapValues(to: String.self, mapTo: { "\($0)" }, mapFrom: { Int($0)! })
    try await base.defaulting(to: 7).serial().update(forKey: "b") { $0 += 1 }
    try await PlainStore(base).defaulting(to: 7).serial().update(forKey: "c") { $0 += 1 }
    try await texts.singleKey("d").defaulting(to: "7").serial().update(forKey: ()) { $0 += "1" }
    let before = ["a": 1, "b": 8, "c": 8, "d": 71]
    #expect(base.objects == before)

    base.fail(.read)
    let keyed = base.defaulting(to: 7)
    let plain = PlainStore(base).defaulting(to: 7)
    let single = texts.singleKey("a").defaulting(to: "7")
    let above = keyed.mapKeys { (number: Int) in "\(number)" }.mapValues(
      to: String.self, mapTo: { "\($0)" }, mapFrom: { Int($0)! })
    let parts = zip(plain, PlainStore(base))
    await #expect(throws: Failure.first) { try await keyed.serial().update(forKey: "a") { $0 += 1 } }
    await #expect(throws: Failure.first) { try await plain.serial().update(forKey: "a") { $0 += 1 } }
    await #expect(throws: Failure.first) { try await single.serial().update(forKey: ()) { $0 += "1" } }
    await #expect(throws: Failure.first) { try await above.serial().update(forKey: 1) { $0 += "1" } }
    await #expect(throws: Failure.first) { try await parts.serial().update(forKey: "a") { $0.0 += 1 } }
    #expect(base.objects == before)
    let front = DictionaryStorage<String, Int>()
    await #expect(throws: Failure.first) { try await front.combined(with: keyed).object(forKey: "a") }
    #expect(front.objects.isEmpty, "nor is it cached for one")
  }

  private enum Key: String { case a }
}

extension Shared where Value == Int {
  fileprivate func counted() -> Int {
    change { $0 += 1 }
    return value
  }
}
