import StrataObservation
import StrataTestKit
import TestSupport
import Testing

@Suite("A stored value ends with its owner", .endsInTime)
@MainActor
struct EndTests {
  @Test("no observer stays behind, nor does the value")
  func observers() async throws {
    let (store, memory) = memoryStorage()
    let observers = try #require(memory.coordinator).observers
    var value: StoredValue? = StoredValue(store, forKey: "a")
    var all: StoredCollection? = StoredCollection(store)
    weak let (formerValue, formerAll) = (value, all)
    await value?.settled()
    await all?.refresh()
    try await store.setObject("Ada", forKey: "a")
    await until { value?.value == "Ada" && all?["a"] == "Ada" }
    #expect(!observers.isEmpty)
    (value, all) = (nil, nil)
    await until { formerValue == nil && formerAll == nil }
    #expect(observers.isEmpty)
    try await store.setObject("Grace", forKey: "a")
  }

  @Test("a read that is under way does not keep it")
  func reading() async throws {
    let slow = SlowStorage(DictionaryStorage<String, String>(["a": "Ada"]))
    let gate = slow.stop(.read, calls: 2)
    var value: StoredValue? = StoredValue(slow, forKey: "a")
    var all: StoredCollection? = StoredCollection(slow)
    weak let (formerValue, formerAll) = (value, all)
    await gate.arrivals(2)
    (value, all) = (nil, nil)
    #expect(formerValue == nil && formerAll == nil)
    gate.open()
  }

  @Test("a load that is under way does not keep it, and is cancelled")
  func loading() async throws {
    let (began, ended) = (Shared(false), Shared(false))
    let store = MemoryStorage<String, String>().loading(value: { _ in
      began.change { $0 = true }
      do { try await Task.sleep(for: .seconds(600)) } catch {
        ended.change { $0 = true }
        throw error
      }
      return "Ada"
    })
    var value: StoredValue? = StoredValue(store, forKey: "a")
    weak let former = value
    await until { began.value }
    value = nil
    #expect(former == nil)
    await until { ended.value }
  }

  @Test("a pause before a repeated read ends, too")
  func pausing() async throws {
    let time = ManualClock()
    var value: StoredValue? = StoredValue(FailingSource(), forKey: "a", clock: time)
    weak let former = value
    await time.sleepers(1)
    value = nil
    #expect(former == nil)
    await until { time.sleeperCount == 0 }
  }

  @Test("writes that were called for are made, and keep nothing")
  func writing() async throws {
    let base = DictionaryStorage<String, String>()
    let slow = SlowStorage(base)
    let gate = slow.stop(.write)
    var value: StoredValue? = StoredValue(slow, forKey: "a")
    weak let former = value
    await value?.settled()
    value?.value = "first"
    await gate.arrivals(1)
    value?.value = "second"
    value = nil
    #expect(former == nil)
    gate.open()
    await until { base.objects == ["a": "second"] }
  }

  @Test("nobody who has watched it is told anything afterwards")
  func watching() async throws {
    let (store, _) = memoryStorage()
    var value: StoredValue? = StoredValue(store, forKey: "a")
    await value?.settled()
    let told = Shared(0)
    withObservationTracking {
      _ = value?.value
    } onChange: {
      told.change { $0 += 1 }
    }
    value = nil
    for number in 0..<100 { try await store.setObject("\(number)", forKey: "a") }
    let later = StoredValue(store, forKey: "a")
    try await later.set("Ada")
    #expect(told.value == 0)
  }
}
