import Foundation
import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import TestSupport
import Testing

/// A way to remove the keys "a" and "b".
enum Removal: CaseIterable {
  case one, many, all

  func make(in link: any StorageAware<String, Int>) async throws {
    switch self {
    case .one: for key in ["a", "b"] { try await link.removeObject(forKey: key) }
    case .many: try await link.removeObjects(forKeys: ["a", "b", "x"])
    case .all: try await link.removeAll()
    }
  }

  /// The entries left of the keys "a", "b" and "c".
  var left: [String: Int] { self == .all ? [:] : ["c": 1] }
}

@Suite("HybridStorage: removing")
struct HybridRemovalTests {
  private func filled(_ half: Half) async throws -> HybridUnderTest {
    let test = HybridUnderTest(half)
    try await test.link.setObjects(["a": 1, "b": 1, "c": 1], expiry: nil)
    return test
  }

  @Test("a value is removed from both tiers, from the back first", arguments: Half.allCases, Removal.allCases)
  func removes(_ half: Half, _ removal: Removal) async throws {
    let test = try await filled(half)
    _ = test.takeCalls()
    try await removal.make(in: test.link)
    let calls = test.takeCalls()
    #expect(try test.inFront == removal.left)
    #expect(try test.inBack == removal.left)
    let tiers = calls.map { $0.prefix { $0 != "." } }
    #expect(tiers == (removal == .one ? ["back", "front", "back", "front"] : ["back", "front"]))
    #expect(try await test.link.entryIfPresent(forKey: "a") == nil)
    #expect(try await test.link.keys() == Array(removal.left.keys))
  }

  @Test("removing an absent value succeeds", arguments: Half.allCases, Removal.allCases)
  func absent(_ half: Half, _ removal: Removal) async throws {
    let test = HybridUnderTest(half)
    try await removal.make(in: test.link)
    #expect(try await test.link.keys() == [])
  }

  @Test(
    "if the back fails, the front is emptied all the same, and the error is thrown", arguments: Half.allCases,
    Removal.allCases)
  func backFails(_ half: Half, _ removal: Removal) async throws {
    let test = try await filled(half)
    test.back.fail(.remove, .removeAll)
    await #expect(throws: Failure.first) { try await removal.make(in: test.link) }
    #expect(try test.inFront["a"] == nil)
    #expect(try test.inBack == ["a": 1, "b": 1, "c": 1])
    #expect(try await test.link.object(forKey: "a") == 1, "an entry that could not be removed is still there")
  }

  @Test(
    "if the front fails, the back is emptied all the same, and the error is thrown", arguments: Half.allCases,
    Removal.allCases)
  func frontFails(_ half: Half, _ removal: Removal) async throws {
    let test = try await filled(half)
    test.front.fail(.remove, .removeAll, with: Failure.second)
    await #expect(throws: (any Error).self) { try await removal.make(in: test.link) }
    #expect(try test.inBack["a"] == nil)
  }

  @Test("if both fail, the error names both failures", arguments: Half.allCases, Removal.allCases)
  func bothFail(_ half: Half, _ removal: Removal) async throws {
    let test = try await filled(half)
    test.back.fail(.remove, .removeAll, with: Failure.first)
    test.front.fail(.remove, .removeAll, with: Failure.second)
    let error = await #expect(throws: StorageError.self) { try await removal.make(in: test.link) }
    #expect(error == .backendFailed)
    #expect(error?.cause as? Failure == .first)
    #expect(error?.message.contains("second") == true)
  }

  @Test("a sweep removes exactly the expired entries from both tiers", arguments: Half.allCases)
  func sweep(_ half: Half) async throws {
    let test = try await filled(half)
    try await test.link.setObject(2, forKey: "old", expiry: .seconds(1))
    test.time.advance(by: 1)
    _ = test.takeCalls()
    try await test.link.removeExpiredObjects()
    let calls = test.takeCalls()
    #expect(calls == ["back.removeExpiredObjects", "front.removeExpiredObjects"])
    #expect(try test.inFront == ["a": 1, "b": 1, "c": 1])
    #expect(try test.inBack == ["a": 1, "b": 1, "c": 1])
  }

  @Test(
    "if a sweep of one tier fails, the other is swept all the same, and the error is thrown",
    arguments: Half.allCases
  )
  func sweepFails(_ half: Half) async throws {
    for backFails in [true, false] {
      let test = try await filled(half)
      try await test.link.setObject(2, forKey: "old", expiry: .seconds(1))
      test.time.advance(by: 1)
      if backFails { test.back.fail(.sweep) } else { test.front.fail(.sweep) }
      await #expect(throws: Failure.first) { try await test.link.removeExpiredObjects() }
      #expect(try test.inFront.keys.contains("old") != backFails)
      #expect(try test.inBack.keys.contains("old") == backFails)
      test.back.fail(.sweep)
      test.front.fail(.sweep, with: Failure.second)
      await #expect(throws: StorageError.backendFailed) { try await test.link.removeExpiredObjects() }
    }
  }

  @Test("`removeInMemoryObject` affects the front alone", arguments: Half.allCases)
  func inMemory(_ half: Half) async throws {
    let test = try await filled(half)
    _ = test.takeCalls()
    try await test.link.removeInMemoryObject(forKey: "a")
    let calls = test.takeCalls()
    #expect(calls == ["front.removeInMemoryObject"])
  }
}
