import Dispatch
import Foundation
import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import TestSupport
import Testing

@Suite("TypeWrapper: the object, its bytes, or both")
struct TypeWrapperTests {
  @Test("an object is encoded once, on the first access to its bytes")
  func encodesOnce() throws {
    let counting = CountingTransformer()
    let wrapper = TypeWrapper.holding(5, transformer: counting.transformer)
    #expect(try wrapper.object(as: counting.transformer) == 5)
    #expect(counting.encoded == 0)
    #expect(wrapper.byteCount == nil)
    let bytes = try wrapper.data()
    #expect(try wrapper.data() == bytes)
    #expect(counting.encoded == 1)
    #expect(wrapper.byteCount == bytes.count)
    #expect(counting.decoded == 0)
  }

  @Test("an object is encoded once for any number of threads")
  func encodesOnceConcurrently() {
    for _ in 0..<20 {
      let counting = CountingTransformer()
      let wrapper = TypeWrapper.holding(5, transformer: counting.transformer)
      let wrong = Locked(0)
      DispatchQueue.concurrentPerform(iterations: 64) { _ in
        if case .success(Data("5".utf8)) = Result(catching: { try wrapper.data() }) { return }
        wrong.withLock { $0 += 1 }
      }
      #expect(wrong.withLock { $0 } == 0)
      #expect(counting.encoded == 1)
    }
  }

  /// An object that a transformer's closure keeps alive.
  private final class Held: Sendable {}

  @Test(
    "wrappers keep their transformer alive, which the last one releases, on any thread")
  func keepsTransformer() throws {
    weak var held: Held?
    let wrappers = Locked<[Int: TypeWrapper]>([:])
    do {
      let made = Held()
      held = made
      let transformer = Transformer<Int>(
        toData: { number in withExtendedLifetime(made) { Data("\(number)".utf8) } }, fromData: { _ in 0 })
      DispatchQueue.concurrentPerform(iterations: 64) { number in
        for round in 0..<100 {
          let wrapper = TypeWrapper.holding(round, transformer: transformer)
          // Some wrappers live longer than the transformer, and are released by another thread.
          if round == 99 { wrappers.withLock { $0[number] = wrapper } }
        }
      }
    }
    #expect(held != nil)
    #expect(try wrappers.withLock { $0[7] }?.data() == Data("99".utf8))
    DispatchQueue.concurrentPerform(iterations: 64) { number in
      let last = wrappers.withLock { $0.removeValue(forKey: number) }
      withExtendedLifetime(last) {}
    }
    #expect(held == nil)
  }

  @Test("an encoding error is thrown, and encoding is tried again on the next access")
  func encodingFails() {
    let counting = CountingTransformer()
    let wrapper = TypeWrapper.holding(-1, transformer: counting.transformer)
    #expect(throws: Failure.first) { try wrapper.data() }
    #expect(throws: Failure.first) { try wrapper.data() }
    #expect(counting.encoded == 2)
    #expect(wrapper.byteCount == nil)
  }

  @Test("bytes are kept unchanged, and decoded once per type")
  func decodesOnce() throws {
    let counting = CountingTransformer()
    let wrapper = TypeWrapper(data: Data("7".utf8))
    for _ in 0..<5 { #expect(try wrapper.object(as: counting.transformer) == 7) }
    #expect(counting.decoded == 1)
    let other = CountingTransformer()
    for _ in 0..<5 { #expect(try wrapper.object(as: other.transformer) == 7) }
    #expect(other.decoded == 1)
    #expect(try wrapper.object(as: .codable(Double.self)) == 7)
    #expect(try wrapper.data() == Data("7".utf8))
    #expect(counting.encoded == 0)
  }

  @Test("with more views than a wrapper caches, each still reads its value")
  func manyViews() throws {
    let wrapper = TypeWrapper(data: Data("7".utf8))
    for _ in 0..<20 { #expect(try wrapper.object(as: CountingTransformer().transformer) == 7) }
  }

  @Test("a view of the same type and format gets the live object; one of another type or format does not")
  func cached() throws {
    let wrapper = TypeWrapper.holding(5, transformer: .codable(Int.self))
    #expect(wrapper.cachedObject(as: .codable(Int.self)) == 5)
    #expect(wrapper.cachedObject(as: .propertyList(Int.self)) == nil)
    #expect(wrapper.cachedObject(as: .codable(Double.self)) == nil)
    #expect(wrapper.cachedObject(as: CountingTransformer().transformer) == nil)
    #expect(throws: StorageError.decodingFailed) { try wrapper.object(as: .propertyList(Int.self)) }
    #expect(try wrapper.object(as: .codable(Double.self)) == 5)
    #expect(wrapper.cachedObject(as: .codable(Double.self)) == 5)
  }
}

@Suite("TypeWrapperStorage: a byte store as a typed view")
struct TypeWrapperStorageTests {
  let bytes = DictionaryStorage<String, Data>()

  @Test("bytes of another type: the error names key, type and reason, and the value is kept")
  func typeNotMatch() throws {
    let people = bytes.transform(to: Person.self)
    try people.setObject(Person(), forKey: "ada")
    let before = bytes.objects
    let error = try #require(throws: StorageError.self) {
      try bytes.transform(to: [Int].self).object(forKey: "ada")
    }
    #expect(error == .typeNotMatch)
    #expect(error.key as? String == "ada")
    #expect(error.message.contains("Array<Int>"))
    let cause = try #require(error.cause as? StorageError)
    #expect(cause == .decodingFailed)
    #expect(cause.cause is DecodingError)
    #expect(bytes.objects == before)
    #expect(try people.object(forKey: "ada") == Person())
  }

  @Test("a step that fails on reading is a mismatch too, with its error as the cause")
  func stepFails() throws {
    try bytes.transform(to: Person.self).setObject(Person(), forKey: "ada")
    let error = try #require(throws: StorageError.self) {
      try bytes.transform(to: .codable(Person.self).then(.appending(0))).object(forKey: "ada")
    }
    #expect(error == .typeNotMatch)
    #expect(error.cause as? StorageError == .transformerFail)
  }

  @Test("a batch throws if one of its values does not match")
  func batch() throws {
    try bytes.transform(to: Int.self).setObjects(["a": 1, "b": 2], expiry: nil)
    try bytes.transform(to: String.self).setObject("x", forKey: "c")
    #expect(throws: StorageError.typeNotMatch) {
      try bytes.transform(to: Int.self).entries(forKeys: ["a", "b", "c"])
    }
    let found = try bytes.transform(to: Int.self).entries(forKeys: ["a", "b", "d"])
    #expect(found.mapValues(\.object) == ["a": 1, "b": 2])
  }

  @Test("a value that cannot be encoded is not stored")
  func encodingFails() throws {
    let numbers = bytes.transform(to: Double.self)
    try numbers.setObject(1, forKey: "n")
    #expect(throws: StorageError.encodingFailed) { try numbers.setObject(.nan, forKey: "n") }
    #expect(try numbers.object(forKey: "n") == 1)
  }

  @Test("an error of the store is thrown unchanged, not as a mismatch or a miss")
  func storeFails() throws {
    bytes.fail(.read)
    #expect(throws: Failure.first) { try bytes.transform(to: Int.self).objectIfPresent(forKey: "a") }
  }

  @Test("existence is determined without decoding")
  func existence() throws {
    try bytes.transform(to: String.self).setObject("x", forKey: "a")
    #expect(try bytes.transform(to: Int.self).objectExists(forKey: "a"))
  }
}
