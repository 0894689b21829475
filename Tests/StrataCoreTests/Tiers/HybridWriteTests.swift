import Foundation
import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import TestSupport
import Testing

/// A way to write several values.
enum Writing: CaseIterable {
  case one, many

  func write(
    _ numbers: [String: Int] = ["a": 1, "b": 2], _ expiry: Expiry? = nil,
    to link: any StorageAware<String, Int>
  )
    async throws
  {
    switch self {
    case .one: for (key, number) in numbers { try await link.setObject(number, forKey: key, expiry: expiry) }
    case .many: try await link.setObjects(numbers, expiry: expiry)
    }
  }
}

@Suite("HybridStorage: writing")
struct HybridWriteTests {
  @Test("the back is written first, then the front; a batch is one call per tier", arguments: Half.allCases)
  func order(_ half: Half) async throws {
    let test = HybridUnderTest(half)
    try await test.link.setObject(1, forKey: "a")
    #expect(test.takeCalls() == ["back.setObject", "front.setObject"])
    try await test.link.setObjects(["b": 2, "c": 3], expiry: nil)
    #expect(test.takeCalls() == ["back.setObjects", "front.setObjects"])
    #expect(try test.inFront == ["a": 1, "b": 2, "c": 3])
    #expect(try test.inBack == ["a": 1, "b": 2, "c": 3])
  }

  @Test(
    "a value is encoded once, and read from the front without decoding", arguments: Half.allCases,
    Writing.allCases)
  func encodedOnce(_ half: Half, _ writing: Writing) async throws {
    let test = HybridUnderTest(half)
    try await writing.write(to: test.link)
    #expect(try await test.link.object(forKey: "a") == 1)
    #expect(test.coder.encoded == 2)
    #expect(test.coder.decoded == 0)
  }

  /// Uses a clock that advances with every read, so that reading it twice would return two dates.
  @Test("`.seconds` end at the same moment in both tiers", arguments: Half.allCases, Writing.allCases)
  func sameMoment(_ half: Half, _ writing: Writing) async throws {
    let time = ManualClock()
    let test = HybridUnderTest(
      half,
      clock: StorageClock {
        time.advance(by: 1)
        return time.date
      })
    try await writing.write(["a": 1], .seconds(100), to: test.link)
    let inFront = try await test.front.expiryIfPresent(forKey: "a")
    let inBack = try await test.back.expiryIfPresent(forKey: "a")
    #expect(inFront != nil)
    #expect(inFront == inBack)
  }

  @Test(
    "if the back fails, the front drops the key, so that the next read sees the back's value",
    arguments: Half.allCases,
    Writing.allCases)
  func backFails(_ half: Half, _ writing: Writing) async throws {
    let test = HybridUnderTest(half)
    try await test.link.setObjects(["a": 5, "b": 6, "c": 7], expiry: nil)
    test.back.fail(.write)
    await #expect(throws: Failure.first) { try await writing.write(["a": 1], to: test.link) }
    #expect(try test.inFront == ["b": 6, "c": 7])
    #expect(try test.inBack == ["a": 5, "b": 6, "c": 7])
    #expect(try await test.link.object(forKey: "a") == 5)
    test.back.work()
    try await writing.write(["a": 2], to: test.link)
    #expect(try await test.link.object(forKey: "a") == 2)
  }

  @Test("if a batch fails in the back, the front drops all of its keys", arguments: Half.allCases)
  func batchFails(_ half: Half) async throws {
    let test = HybridUnderTest(half)
    try await test.link.setObjects(["a": 5, "b": 6, "c": 7], expiry: nil)
    test.back.fail(.write)
    await #expect(throws: Failure.first) { try await Writing.many.write(to: test.link) }
    #expect(try test.inFront == ["c": 7])
  }

  @Test(
    "if the front fails, it drops the key and the error is thrown; the back's value is read",
    arguments: Half.allCases, Writing.allCases)
  func frontFails(_ half: Half, _ writing: Writing) async throws {
    let test = HybridUnderTest(half)
    try await test.link.setObject(5, forKey: "a")
    test.front.fail(.write)
    await #expect(throws: Failure.first) { try await writing.write(["a": 1], to: test.link) }
    #expect(try test.inFront == [:])
    test.front.work()
    #expect(try await test.link.object(forKey: "a") == 1)
  }

  @Test(
    "a value that is too large for the front is stored in the back, and the front drops the old one",
    arguments: Half.allCases, Writing.allCases)
  func tooLargeForTheFront(_ half: Half, _ writing: Writing) async throws {
    let test = HybridUnderTest(half)
    try await test.link.setObjects(["a": 5, "b": 6, "c": 7], expiry: nil)
    test.front.fail(.write, with: StorageError.tooLarge)
    try await writing.write(to: test.link)
    #expect(try test.inFront == ["c": 7])
    #expect(try test.inBack == ["a": 1, "b": 2, "c": 7])
    #expect(try await test.link.object(forKey: "a") == 1)
    test.back.fail(.write, with: StorageError.tooLarge)
    await #expect(throws: StorageError.tooLarge) { try await writing.write(["a": 9], to: test.link) }
    #expect(try test.inBack["a"] == 1)
  }

  @Test(
    "if the front cannot even drop the key, the error contains both failures", arguments: Half.allCases,
    Writing.allCases)
  func bothFail(_ half: Half, _ writing: Writing) async throws {
    let test = HybridUnderTest(half)
    test.back.fail(.write, with: Failure.first)
    test.front.fail(.remove, with: Failure.second)
    let error = await #expect(throws: StorageError.self) { try await writing.write(["a": 1], to: test.link) }
    #expect(error == .backendFailed)
    #expect(error?.key as? String == "a")
    #expect(error?.cause as? Failure == .first)
    #expect(error?.message.contains("second") == true)
  }

  @Test(
    "if one value of a batch cannot be encoded, no tier is changed", arguments: Half.allCases,
    Writing.allCases)
  func encodingFails(_ half: Half, _ writing: Writing) async throws {
    let test = HybridUnderTest(half)
    try await test.link.setObject(5, forKey: "a")
    let numbers = writing == .one ? ["a": -1] : ["a": -1, "b": 2, "c": 3]
    _ = test.takeCalls()
    await #expect(throws: Failure.first) { try await writing.write(numbers, to: test.link) }
    let calls = test.takeCalls()
    #expect(calls == [])
    #expect(try test.inFront == ["a": 5])
    #expect(try test.inBack == ["a": 5])
  }

  @Test(
    "the error for a value that cannot be encoded names its key", arguments: Half.allCases, Writing.allCases)
  func encodingNamesKey(_ half: Half, _ writing: Writing) async throws {
    let hybrid = HybridStorage(
      front: DictionaryStorage<String, TypeWrapper>(), back: DictionaryStorage<String, Data>())
    let typed = TypeWrapperStorage(hybrid, transformer: .codable(Refusing.self))
    let link: any StorageAware<String, Refusing> = half == .sync ? SyncFace(base: typed) : typed
    let error = await #expect(throws: StorageError.self) {
      switch writing {
      case .one: try await link.setObject(Refusing(), forKey: "a")
      case .many: try await link.setObjects(["a": Refusing()], expiry: nil)
      }
    }
    #expect(error == .encodingFailed)
    #expect(error?.key as? String == "a")
    #expect(error?.cause is Refusing.Refusal)
  }
}
