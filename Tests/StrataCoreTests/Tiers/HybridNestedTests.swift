import Foundation
import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import TestSupport
import Testing

/// Three tiers, memory before disk before a server, typed as `Int`.
private struct ThreeTiers {
  let time = ManualClock()
  let memory: DictionaryStorage<String, TypeWrapper>
  let disk: DictionaryStorage<String, Data>
  let server: DictionaryStorage<String, Data>
  let link: any StorageAware<String, Int>

  init(_ half: Half) {
    memory = DictionaryStorage(clock: time.clock, peeks: true)
    disk = DictionaryStorage(clock: time.clock)
    server = DictionaryStorage(clock: time.clock)
    let hybrid = HybridStorage(front: HybridStorage(front: memory, back: disk), back: server)
    let typed = TypeWrapperStorage(hybrid, transformer: .codable(Int.self))
    link = half == .sync ? SyncFace(base: typed) : typed
  }

  /// The entries of memory, disk and server.
  var contents: [[String: Int]] {
    get throws {
      let number = HybridUnderTest.number
      return try [
        memory.objects.mapValues { try number($0.data()) }, disk.objects.mapValues(number),
        server.objects.mapValues(number),
      ]
    }
  }

  func expiries(_ key: String) async throws -> [Expiry?] {
    try await [
      memory.expiryIfPresent(forKey: key), disk.expiryIfPresent(forKey: key),
      server.expiryIfPresent(forKey: key),
    ]
  }
}

@Suite("HybridStorage: three tiers")
struct HybridNestedTests {
  @Test("a write reaches all tiers, and so does a removal", arguments: Half.allCases)
  func writes(_ half: Half) async throws {
    let test = ThreeTiers(half)
    try await test.link.setObject(1, forKey: "a", expiry: .seconds(10))
    try await test.link.setObjects(["b": 2, "c": 3], expiry: nil)
    #expect(try test.contents == Array(repeating: ["a": 1, "b": 2, "c": 3], count: 3))
    let date = Expiry.date(test.time.date.addingTimeInterval(10))
    #expect(try await test.expiries("a") == [date, date, date])
    try await test.link.removeObject(forKey: "b")
    #expect(try test.contents == Array(repeating: ["a": 1, "c": 3], count: 3))
    test.time.advance(by: 10)
    try await test.link.removeExpiredObjects()
    #expect(try test.contents == Array(repeating: ["c": 3], count: 3))
    try await test.link.removeAll()
    #expect(try test.contents == [[:], [:], [:]])
  }

  @Test("a value that only the last tier has is copied to all, with its expiry", arguments: Half.allCases)
  func promotion(_ half: Half) async throws {
    let test = ThreeTiers(half)
    for key in ["a", "b"] {
      try await test.server.setObject(HybridUnderTest.data(1), forKey: key, expiry: .seconds(10))
    }
    let date = Expiry.date(test.time.date.addingTimeInterval(10))
    test.time.advance(by: 5)
    #expect(try await test.link.objectExists(forKey: "a"))
    #expect(test.link.peek(forKey: "a") == nil)
    #expect(try test.contents == [[:], [:], ["a": 1, "b": 1]])
    #expect(try await test.link.object(forKey: "a") == 1)
    #expect(try test.contents == [["a": 1], ["a": 1], ["a": 1, "b": 1]])
    #expect(try await test.expiries("a") == [date, date, date])
    #expect(test.link.peek(forKey: "a") == Entry(object: 1, expiry: date))
    #expect(try await test.link.entries(forKeys: ["a", "b"]).count == 2)
    #expect(try test.contents == Array(repeating: ["a": 1, "b": 1], count: 3))
    #expect(try await test.expiries("b") == [date, date, date])
  }

  @Test(
    "a value in the middle tier is copied to the first, and the last is not read", arguments: Half.allCases)
  func middle(_ half: Half) async throws {
    let test = ThreeTiers(half)
    for key in ["a", "b"] { try await test.disk.setObject(HybridUnderTest.data(1), forKey: key, expiry: nil) }
    test.server.fail(.read)
    #expect(try await test.link.object(forKey: "a") == 1)
    #expect(try await test.link.entries(forKeys: ["a", "b"]).count == 2)
    #expect(try test.contents == [["a": 1, "b": 1], ["a": 1, "b": 1], [:]])
    await #expect(throws: Failure.first) { try await test.link.objectIfPresent(forKey: "x") }
  }

  @Test("if the last tier cannot be written, the others drop the key", arguments: Half.allCases)
  func lastFails(_ half: Half) async throws {
    let test = ThreeTiers(half)
    try await test.link.setObjects(["a": 1, "b": 1], expiry: nil)
    test.server.fail(.write)
    await #expect(throws: Failure.first) { try await test.link.setObject(2, forKey: "a") }
    #expect(try test.contents == [["b": 1], ["b": 1], ["a": 1, "b": 1]])
    #expect(try await test.link.object(forKey: "a") == 1)
  }

  @Test(
    "if the middle tier cannot be written, the first drops the key and the last one's value is read",
    arguments: Half.allCases)
  func middleFails(_ half: Half) async throws {
    let test = ThreeTiers(half)
    try await test.link.setObject(1, forKey: "a")
    test.disk.fail(.write)
    await #expect(throws: Failure.first) { try await test.link.setObject(2, forKey: "a") }
    #expect(try test.contents == [[:], [:], ["a": 2]])
    test.disk.work()
    #expect(try await test.link.object(forKey: "a") == 2)
    #expect(try test.contents == [["a": 2], ["a": 2], ["a": 2]])
  }

  @Test("`keys` lists each key of any tier once", arguments: Half.allCases)
  func keys(_ half: Half) async throws {
    let test = ThreeTiers(half)
    try await test.link.setObject(1, forKey: "all")
    try await test.disk.setObject(HybridUnderTest.data(1), forKey: "disk", expiry: nil)
    try await test.server.setObject(HybridUnderTest.data(1), forKey: "server", expiry: nil)
    #expect(try await test.link.keys().sorted() == ["all", "disk", "server"])
  }
}
