import Foundation
import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import TestSupport
import Testing

/// A query about the key "a".
enum Question: CaseIterable {
  case object, objectIfPresent, entry, entryIfPresent, retrieve, exists, isExpired, expiry, many

  func ask(_ link: any StorageAware<String, Int>) async throws {
    switch self {
    case .object: _ = try await link.object(forKey: "a")
    case .objectIfPresent: _ = try await link.objectIfPresent(forKey: "a")
    case .entry: _ = try await link.entry(forKey: "a")
    case .entryIfPresent: _ = try await link.entryIfPresent(forKey: "a")
    case .retrieve: _ = try await link.retrieve(forKey: "a")
    case .exists: _ = try await link.objectExists(forKey: "a")
    case .isExpired: _ = try await link.isExpiredObject(forKey: "a")
    case .expiry: _ = try await link.expiryIfPresent(forKey: "a")
    case .many: _ = try await link.entries(forKeys: ["a", "b"])
    }
  }
}

@Suite("HybridStorage: a failing tier is never treated as a miss")
struct HybridFailureTests {
  @Test(
    "the back's error is thrown unless the front has the value", arguments: Half.allCases,
    Question.allCases)
  func back(_ half: Half, _ question: Question) async throws {
    let test = HybridUnderTest(half)
    test.back.fail(.read)
    await #expect(throws: Failure.first) { try await question.ask(test.link) }
    try test.put(inFront: 1, "a", .seconds(0))
    await #expect(throws: Failure.first) { try await question.ask(test.link) }
    for key in ["a", "b"] { try test.put(inFront: 1, key) }
    try await question.ask(test.link)
  }

  @Test(
    "the front's error is thrown although the back has the value", arguments: Half.allCases,
    Question.allCases)
  func front(_ half: Half, _ question: Question) async throws {
    let test = HybridUnderTest(half)
    try test.put(inBack: 1, "a")
    test.front.fail(.read)
    await #expect(throws: Failure.first) { try await question.ask(test.link) }
  }

  @Test(
    "a value that the front cannot store is read from the back", arguments: Half.allCases, Question.allCases)
  func promotion(_ half: Half, _ question: Question) async throws {
    let test = HybridUnderTest(half)
    try test.put(inBack: 1, "a")
    for error in [Failure.first as any Error, StorageError.tooLarge] {
      test.front.fail(.write, with: error)
      try await question.ask(test.link)
      #expect(try await test.link.object(forKey: "a") == 1)
      #expect(try await test.link.entries(forKeys: ["a"])["a"]?.object == 1)
      #expect(try test.inFront == [:])
    }
    test.front.work()
    #expect(try await test.link.object(forKey: "a") == 1)
    #expect(try test.inFront == ["a": 1])
  }

  @Test(
    "if a tier cannot list its keys, `keys` throws instead of returning a short list",
    arguments: Half.allCases)
  func keys(_ half: Half) async throws {
    let test = HybridUnderTest(half)
    try await test.link.setObject(1, forKey: "a")
    test.back.fail(.keys)
    await #expect(throws: Failure.first) { try await test.link.keys() }
    await #expect(throws: Failure.first) { try await test.link.allObjects() }
    test.back.work()
    test.front.fail(.keys, with: Failure.second)
    await #expect(throws: Failure.second) { try await test.link.keys() }
  }

  @Test("bytes of another type throw `.typeNotMatch` with the key, and are kept", arguments: Half.allCases)
  func undecodable(_ half: Half) async throws {
    let test = HybridUnderTest(half)
    let bytes = Data("no number".utf8)
    try await test.back.setObject(bytes, forKey: "a", expiry: nil)
    let error = await #expect(throws: StorageError.self) { try await test.link.object(forKey: "a") }
    #expect(error == .typeNotMatch)
    #expect(error?.key as? String == "a")
    #expect(test.back.objects == ["a": bytes])
    try await test.link.setObject(1, forKey: "a")
    #expect(try await test.link.object(forKey: "a") == 1)
  }
}
