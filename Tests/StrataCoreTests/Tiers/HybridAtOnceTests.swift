import Foundation
import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import TestSupport
import Testing

@Suite("HybridStorage: writes without waiting")
struct HybridAtOnceTests {
  let time = ManualClock()
  let coder = CountingTransformer()
  let front: DictionaryStorage<String, TypeWrapper>
  let back: HesitantStorage<String, Data>
  let link:
    TypeWrapperStorage<
      HybridStorage<DictionaryStorage<String, TypeWrapper>, HesitantStorage<String, Data>>, Int
    >

  init() {
    front = DictionaryStorage(clock: time.clock)
    back = HesitantStorage(DictionaryStorage(clock: time.clock))
    link = TypeWrapperStorage(HybridStorage(front: front, back: back), transformer: coder.transformer)
  }

  private func store(_ number: Int, _ key: String = "a", _ expiry: Expiry? = nil) throws -> Bool {
    try link.setObjectAtOnce(number, forKey: key, expiry: expiry)
  }

  @Test("both tiers have the value, with the same expiry")
  func bothTiers() throws {
    #expect(try store(1, "a", .seconds(10)))
    let expiry = Expiry.seconds(10).resolved(by: time.clock)
    #expect(try back.base.entry(forKey: "a") == Entry(object: Data("1".utf8), expiry: expiry))
    #expect(try front.entry(forKey: "a").expiry == expiry)
    #expect(try link.object(forKey: "a") == 1)
    #expect(coder.encoded == 1)
  }

  @Test("if the back would have to wait, neither tier is changed")
  func hesitation() throws {
    try link.setObject(1, forKey: "a")
    back.isReady = false
    #expect(try !store(2))
    #expect(try link.object(forKey: "a") == 1)
    #expect(try back.base.object(forKey: "a") == Data("1".utf8))
  }

  @Test("if the front may block, the back is not written either")
  func slowFront() throws {
    let tiers = HybridStorage(front: HesitantStorage(front), back: back)
    #expect(try !tiers.setObjectAtOnce(TypeWrapper(data: Data("1".utf8)), forKey: "a", expiry: nil))
    #expect(front.objects.isEmpty)
    #expect(back.base.objects.isEmpty)
  }

  @Test("a failing tier removes the key from the front; a value that cannot be encoded changes nothing")
  func failures() throws {
    try link.setObject(1, forKey: "a")
    front.fail(.write)
    #expect(throws: Failure.first) { try store(2) }
    #expect(front.objects["a"] == nil)
    #expect(try back.base.object(forKey: "a") == Data("2".utf8))
    front.work()
    #expect(try link.object(forKey: "a") == 2)
    back.base.fail(.write)
    #expect(throws: Failure.first) { try store(3) }
    #expect(front.objects["a"] == nil)
    back.base.work()
    #expect(try link.object(forKey: "a") == 2)
    let broken = link.transform(
      to: Transformer<Int>(toData: { _ in throw Failure.second }, fromData: { _ in 0 }))
    #expect(throws: Failure.second) { try broken.setObjectAtOnce(4, forKey: "a", expiry: nil) }
    #expect(try link.object(forKey: "a") == 2)
  }

  @Test("the write does not wait: while the key is in use, nothing is written")
  func busyKey() async throws {
    let gate = ThreadGate()
    back.base.afterNextRead { gate.pass() }
    let reader = Task { [link] in try await onThread { try link.objectIfPresent(forKey: "a") } }
    await gate.arrival()
    #expect(try !store(1))
    #expect(try store(1, "b"))
    gate.open()
    #expect(try await reader.value == nil)
    #expect(try store(1))
    #expect(try blocking { try link.object(forKey: "a") } == 1)
  }

  @Test("combinators that leave writes unchanged forward the call; others decline it")
  func links() throws {
    let base = HesitantStorage(DictionaryStorage<String, Int>())
    let keyed = base.mapKeys(
      to: Int.self, mapTo: { Int($0) }, mapFrom: { "\($0)" })
    let obscured = base.obscureWrappedStorages()
    let ordered = SyncStorage(base)
    let mapped = base.mapValues(mapTo: { $0 + 1 }, mapFrom: { $0 - 1 })
    for isReady in [true, false] {
      base.isReady = isReady
      #expect(try keyed.setObjectAtOnce(1, forKey: 7, expiry: nil) == isReady)
      #expect(try mapped.setObjectAtOnce(1, forKey: "b", expiry: nil) == isReady)
      #expect(try obscured.setObjectAtOnce(1, forKey: "c", expiry: nil) == isReady)
      #expect(try ordered.setObjectAtOnce(1, forKey: "d", expiry: nil) == isReady)
      #expect(base.base.objects == (isReady ? ["7": 1, "b": 0, "c": 1, "d": 1] : [:]))
      try base.removeAll()
    }
    #expect(try DictionaryStorage<String, Int>().setObjectAtOnce(1, forKey: "a", expiry: nil), "never blocks")
    base.isReady = true
    #expect(try !base.serial().setObjectAtOnce(1, forKey: "a", expiry: nil))
  }

  @Test("in an ordered store the write does not wait for a turn")
  func ordered() throws {
    let base = HesitantStorage(DictionaryStorage<String, Int>(["a": 1]))
    let ordered = SyncStorage(base)
    let stored = Shared<[Result<Bool, any Error>]>([])
    try ordered.update(forKey: "a") { value in
      onAnotherThread {
        stored.change { stored in
          stored = ["a", "b"].map { key in
            Result { try ordered.setObjectAtOnce(5, forKey: key, expiry: nil) }
          }
        }
      }
      value = 2
    }
    #expect(try stored.value.map { try $0.get() } == [false, true])
    #expect(base.base.objects == ["a": 2, "b": 5])
  }
}
