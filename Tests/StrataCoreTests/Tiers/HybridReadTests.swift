import Foundation
import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import TestSupport
import Testing

@Suite("HybridStorage: reading")
struct HybridReadTests {
  @Test("a value in front is returned without reading the back", arguments: Half.allCases)
  func front(_ half: Half) async throws {
    let test = HybridUnderTest(half)
    try test.put(inFront: 1, "a")
    try test.put(inBack: 2, "a")
    _ = test.takeCalls()
    #expect(try await test.link.object(forKey: "a") == 1)
    #expect(try await test.link.entries(forKeys: ["a"]).mapValues(\.object) == ["a": 1])
    #expect(try await test.link.objectExists(forKey: "a"))
    let calls = test.takeCalls()
    #expect(calls == ["front.entryIfPresent", "front.entries", "front.expiryIfPresent"])
  }

  @Test("a value that only the back has is copied to the front with its own expiry", arguments: Half.allCases)
  func promotion(_ half: Half) async throws {
    for expiry in [Expiry.never, .seconds(10)] {
      let test = HybridUnderTest(half)
      try test.put(inBack: 1, "a", expiry)
      let stored = expiry.resolved(by: test.time.clock)
      test.time.advance(by: 5)
      #expect(try await test.link.entryIfPresent(forKey: "a") == Entry(object: 1, expiry: stored))
      #expect(try test.inFront == ["a": 1])
      #expect(try await test.front.expiryIfPresent(forKey: "a") == stored)
      _ = test.takeCalls()
      #expect(try await test.link.object(forKey: "a") == 1)
      let calls = test.takeCalls()
      #expect(calls == ["front.entryIfPresent"])
    }
  }

  @Test("an absent value is `nil`, and nothing is copied to the front", arguments: Half.allCases)
  func absent(_ half: Half) async throws {
    let test = HybridUnderTest(half)
    #expect(try await test.link.entryIfPresent(forKey: "a") == nil)
    #expect(try await test.link.entries(forKeys: ["a"]).isEmpty)
    #expect(try await !test.link.objectExists(forKey: "a"))
    await #expect(throws: StorageError.notFound) { try await test.link.object(forKey: "a") }
    #expect(try test.inFront == [:])
  }

  @Test("if the value in front has expired, the back is read", arguments: Half.allCases)
  func expiredInFront(_ half: Half) async throws {
    let test = HybridUnderTest(half)
    for key in ["a", "b"] {
      try test.put(inFront: 1, key, .seconds(1))
      try test.put(inBack: 2, key)
    }
    test.time.advance(by: 1)
    #expect(try await test.link.expiryIfPresent(forKey: "a") == .never)
    #expect(try await test.link.objectExists(forKey: "a"))
    #expect(try await test.link.object(forKey: "a") == 2)
    #expect(try await test.link.entries(forKeys: ["b"]) == ["b": Entry(object: 2)])
    #expect(try test.inFront == ["a": 2, "b": 2])
  }

  @Test(
    "a value that has expired everywhere is returned by `entry` alone, and not copied to the front",
    arguments: Half.allCases
  )
  func bothExpired(_ half: Half) async throws {
    let test = HybridUnderTest(half)
    try test.put(inFront: 1, "both", .seconds(1))
    try test.put(inBack: 2, "both", .seconds(2))
    try test.put(inFront: 3, "front", .seconds(1))
    try test.put(inBack: 4, "back", .seconds(1))
    test.time.advance(by: 2)
    for (key, number) in ["both": 2, "front": 3, "back": 4] {
      let entry = try await test.link.entry(forKey: key)
      #expect(entry.object == number)
      #expect(entry.expiry.isExpired(by: test.time.clock))
      #expect(try await test.link.entries(forKeys: [key]) == [key: entry])
      #expect(try await test.link.expiryIfPresent(forKey: key) == entry.expiry)
      #expect(try await test.link.objectIfPresent(forKey: key) == nil)
      #expect(try await !test.link.objectExists(forKey: key))
      #expect(try await test.link.isExpiredObject(forKey: key))
    }
    #expect(try test.inFront == ["both": 1, "front": 3])
    #expect(try await test.link.allObjects() == [])
  }

  @Test(
    "a batch reads the keys missing in front from the back at once, and copies their values to the front",
    arguments: Half.allCases)
  func batch(_ half: Half) async throws {
    let test = HybridUnderTest(half)
    try test.put(inFront: 1, "a")
    try test.put(inBack: 9, "a")
    for (key, number) in ["b": 2, "c": 3] { try test.put(inBack: number, key, .seconds(10)) }
    let date = Expiry.date(test.time.date.addingTimeInterval(10))
    _ = test.takeCalls()
    let found = try await test.link.entries(forKeys: ["a", "b", "c", "x", "b"])
    #expect(found.mapValues(\.object) == ["a": 1, "b": 2, "c": 3])
    #expect(found.mapValues(\.expiry) == ["a": .never, "b": date, "c": date])
    let calls = test.takeCalls()
    #expect(calls.filter { $0.hasPrefix("back") } == ["back.entries"])
    #expect(test.back.calls(.read) == 3, "b, c and x, each once")
    #expect(try test.inFront == ["a": 1, "b": 2, "c": 3])
    #expect(try await test.front.expiryIfPresent(forKey: "b") == date)
    _ = test.takeCalls()
    _ = try await test.link.entries(forKeys: ["a", "b", "c"])
    let again = test.takeCalls()
    #expect(again == ["front.entries"])
  }

  @Test("`peek` reads the front alone", arguments: Half.allCases)
  func peek(_ half: Half) async throws {
    let test = HybridUnderTest(half)
    try test.put(inBack: 1, "a")
    _ = test.takeCalls()
    #expect(test.link.peek(forKey: "a") == nil)
    #expect(try test.inFront == [:])
    try await test.link.setObject(2, forKey: "b")
    #expect(test.link.peek(forKey: "b") == Entry(object: 2))
    let calls = test.takeCalls()
    #expect(calls == ["front.peek", "back.setObject", "front.setObject", "front.peek"])
  }

  @Test("`objectExists` neither reads nor decodes values, in either tier", arguments: Half.allCases)
  func existence(_ half: Half) async throws {
    let test = HybridUnderTest(half)
    try test.put(inFront: 1, "front")
    try test.put(inBack: 1, "back")
    try test.put(inBack: 1, "expired", .seconds(0))
    _ = test.takeCalls()
    for (key, exists) in ["front": true, "back": true, "expired": false, "nowhere": false] {
      #expect(try await test.link.objectExists(forKey: key) == exists)
      #expect(try await test.link.isExpiredObject(forKey: key) == !exists)
    }
    let calls = test.takeCalls()
    #expect(Set(calls) == ["front.expiryIfPresent", "back.expiryIfPresent"])
    #expect(test.coder.decoded == 0)
    #expect(try test.inFront == ["front": 1])
  }

  @Test("`keys` lists each key of either tier once, without expired ones", arguments: Half.allCases)
  func keys(_ half: Half) async throws {
    let test = HybridUnderTest(half)
    try test.put(inFront: 1, "front")
    try test.put(inBack: 1, "back")
    try await test.link.setObject(1, forKey: "both")
    try test.put(inFront: 1, "expired", .seconds(0))
    try test.put(inBack: 1, "expired", .seconds(0))
    #expect(try await test.link.keys().sorted() == ["back", "both", "front"])
    #expect(try await test.link.allObjects() == [1, 1, 1])
  }
}
