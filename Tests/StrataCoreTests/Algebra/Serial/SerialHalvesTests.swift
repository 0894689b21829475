import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import TestSupport
import Testing

@Suite("Serial stores that only read or write, and the names of AsyncStorages")
struct SerialHalvesTests {
  private let base = DictionaryStorage<String, Int>(["a": 1, "b": 2])

  @Test("reads of a readable store run one after the other, and so do writes of a writable one")
  func oneAtATime() async throws {
    let slow = SlowStorage(base)
    let reads = slow.readOnly().serial()
    let writes = slow.writeOnly().serial()
    let (reading, writing) = (slow.stop(.read), slow.stop(.write))
    async let first = reads.retrieve(forKey: "a")
    async let change: Void = writes.set(3, forKey: "a")
    await reading.arrivals(1)
    await writing.arrivals(1)
    let calls = (base.calls(.read), base.calls(.write))
    async let second = reads.retrieve(forKey: "b")
    async let later: Void = writes.set(4, forKey: "b")
    for _ in 0..<100 { await Task.yield() }
    #expect(calls == (base.calls(.read), base.calls(.write)), "the second ones have not begun")
    reading.open()
    writing.open()
    #expect(try await (first, second) == (1, 2) || base.objects["b"] == 4)
    _ = try await (change, later)
    #expect(base.objects == ["a": 3, "b": 4])
  }

  @Test("serial() of a store that reads and writes has `update`")
  func whole() async throws {
    try await base.serial().update(forKey: "a") { $0 += 1 }
    try await PlainStore(base).serial().update(forKey: "a") { $0 += 1 }
    #expect(base.objects["a"] == 3)
    #expect(base.readOnly().serial().storageName == "serial")
    #expect(base.writeOnly().serial().wrappedStorages.count == 1)
  }

  @Test("usingStringKeys() can be called on any store with keys of text, and changes nothing")
  func stringKeys() async throws {
    enum Key: String { case a }
    let mapped = base.mapValues(to: String.self, mapTo: { "\($0)" }, mapFrom: { Int($0)! }).usingStringKeys()
    #expect(try blocking { try mapped.object(forKey: "a") } == "1")
    #expect(try await mapped.mapKeys(to: Key.self, \.rawValue).retrieve(forKey: .a) == "1")
    #expect(try await PlainStore(base).usingStringKeys().retrieve(forKey: "a") == 1)
    #expect(try await base.readOnly().usingStringKeys().retrieve(forKey: "b") == 2)
    try await base.writeOnly().usingStringKeys().set(5, forKey: "a")
    #expect(base.objects["a"] == 5)
  }
}
