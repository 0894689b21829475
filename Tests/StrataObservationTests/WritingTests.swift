import Foundation
import StrataObservation
import StrataTestKit
import TestSupport
import Testing

@Suite("A stored value writes", .endsInTime)
@MainActor
struct WritingTests {
  private let base = DictionaryStorage<String, String>()
  private var slow: SlowStorage<DictionaryStorage<String, String>> { SlowStorage(base) }

  @Test("a value that is set is shown at once, and stored afterwards")
  func shown() async throws {
    let slow = slow
    let name = StoredValue(slow, forKey: "a")
    await name.settled()
    let gate = slow.stop(.write)
    func setWithoutAwait() { name.set("Ada") }
    setWithoutAwait()
    #expect(name.value == "Ada" && name.phase.isLoaded)
    await gate.arrivals(1)
    #expect(base.objects == [:])
    gate.open()
    await until { base.objects == ["a": "Ada"] }
  }

  @Test("with await, it is stored when the call returns")
  func awaited() async throws {
    let name = StoredValue(slow, forKey: "a")
    try await name.set("Ada")
    #expect(base.objects == ["a": "Ada"])
    try await name.update { $0 += "!" }
    #expect(base.objects == ["a": "Ada!"] && name.value == "Ada!")
    try await name.remove()
    #expect(base.objects == [:] && name.value == nil && name.phase.isLoaded)
    name.value = "Eve"
    #expect(name.value == "Eve")
    await until { base.objects == ["a": "Eve"] }
    name.value = nil
    await until { base.objects == [:] }
  }

  @Test("writes are made in order, and a burst is one write")
  func order() async throws {
    let slow = slow
    let name = StoredValue(slow, forKey: "a")
    await name.settled()
    let gate = slow.stop(.write)
    name.value = "first"
    await gate.arrivals(1)
    for number in 1...1000 { name.value = "\(number)" }
    func updateWithoutAwait() { name.update { $0 += "!" } }
    updateWithoutAwait()
    for number in 1...1000 { name.value = "\(number + 1000)" }
    gate.open()
    try await name.update { $0 += "?" }
    #expect(base.objects == ["a": "2000?"] && name.value == "2000?")
    // The first, the last of each burst, and two updates.
    #expect(base.calls(.write) == 5)
  }

  @Test("a write that fails ends with what is stored, and the phase says why")
  func failing() async throws {
    let name = StoredValue(base, forKey: "a")
    try await name.set("Ada")
    base.fail(.write)
    name.value = "Grace"
    #expect(name.value == "Grace" && name.phase.isLoaded)
    await until { name.phase.error is Failure }
    #expect(name.value == "Ada")
    await #expect(throws: Failure.self) { try await name.set("Joan") }
    #expect(name.value == "Ada" && name.phase.error is Failure)
    // Another one has changed it meanwhile: that is the truth.
    base.work()
    try blocking { try base.setObject("Eve", forKey: "a") }
    base.fail(.write)
    await #expect(throws: Failure.self) { try await name.set("Joan") }
    #expect(name.value == "Eve" && name.phase.error is Failure)
    base.work()
    try await name.set("Joan")
    #expect(name.value == "Joan" && name.phase.isLoaded)
  }

  @Test("if what is stored cannot be read either, the last known value is shown")
  func blind() async throws {
    let name = StoredValue(base, forKey: "a")
    try await name.set("Ada")
    base.fail(.write, .read)
    await #expect(throws: Failure.self) { try await name.set("Joan") }
    #expect(name.value == "Ada" && name.phase.error is Failure)
  }

  @Test("an update of nothing, and one that throws, fail and change nothing")
  func updates() async throws {
    let (store, _) = memoryStorage()
    let name = StoredValue(store, forKey: "a")
    #expect(await failure { try await name.update { $0 = "Ada" } }?.code == StorageError.notFound.code)
    #expect(name.value == nil && name.phase.error != nil)
    try await name.set("Ada")
    await #expect(throws: Failure.self) { try await name.update { _ in throw Failure.second } }
    #expect(name.value == "Ada" && name.phase.error is Failure)
    #expect(try await name.update { $0 += "!" } == "Ada!")
    #expect(name.value == "Ada!" && name.phase.isLoaded)
  }

  @Test("changes by others are shown after the pending writes, which win")
  func others() async throws {
    let memory = MemoryStorage<String, TypeWrapper>()
    let slow = SlowStorage(DictionaryStorage<String, Data>())
    let store = AsyncStorage(front: memory, back: slow, transformer: .codable(String.self))
    let name = StoredValue(store, forKey: "a")
    await name.settled()
    let watcher = Watcher { name.value }
    let gate = slow.stop(.write)
    let other = Task { try await store.setObject("theirs", forKey: "a") }
    await gate.arrivals(1)
    name.value = "mine"
    gate.open()
    try await other.value
    await until { name.value == "mine" && slow.base.calls(.write) == 2 }
    await name.refresh()
    #expect(watcher.seen == [nil, "mine"])
    #expect(try await store.object(forKey: "a") == "mine")
  }

  @Test("three values of one key agree in the end")
  func three() async throws {
    let (store, _) = memoryStorage(of: Int.self)
    let values = (0..<3).map { _ in StoredValue(store, forKey: "a") }
    var random = SeededGenerator(seed: Soak.seed)
    for number in 1...1000 {
      values.randomElement(using: &random)?.value = number
      if Int.random(in: 0..<8, using: &random) == 0 { await Task.yield() }
    }
    for value in values { await value.refresh() }
    let stored = try await store.object(forKey: "a")
    await until { values.allSatisfy { $0.value == stored && $0.phase.isLoaded } }
  }
}
