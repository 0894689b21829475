import Foundation
import TestSupport
import Testing

@testable import StrataAlgebra
@testable import StrataCore
@testable import StrataDelegate
@testable import StrataEngines

@Suite("Values mapped by functions that may suspend")
struct AsyncMapValuesTests {
  private let time = ManualClock()
  private let base: DictionaryStorage<String, Data>
  private let encryptor: any Encryptor = Mirror()

  init() { base = DictionaryStorage(clock: time.clock) }

  private var secrets: some StorageAware<String, Data> {
    base.mapValues(
      to: Data.self, mapTo: { [encryptor] in try await encryptor.decrypt(data: $0) },
      mapFrom: { [encryptor] in try await encryptor.encrypt(data: $0) })
  }

  @Test("an encryptor maps every value in both directions; keys and expiries are the store's")
  func encryptor() async throws {
    let secrets = secrets
    try await secrets.setObject(Data("abc".utf8), forKey: "a", expiry: .seconds(60))
    try await secrets.setObjects(["b": Data("de".utf8), "c": Data("f!".utf8)], expiry: nil)
    #expect(base.objects == ["a": Data("cba".utf8), "b": Data("ed".utf8), "c": Data("!f".utf8)])
    #expect(try await secrets.object(forKey: "a") == Data("abc".utf8))
    #expect(try await secrets.retrieve(forKey: "b") == Data("de".utf8))
    #expect(
      try await secrets.entries(forKeys: ["a", "b", "z"]).mapValues(\.object)
        == ["a": Data("abc".utf8), "b": Data("de".utf8)])
    #expect(try await secrets.keys().sorted() == ["a", "b", "c"])
    #expect(try await secrets.objectIfPresent(forKey: "z") == nil)
    try await secrets.removeObjects(forKeys: ["b"])
    time.advance(by: 61)
    #expect(try await secrets.objectIfPresent(forKey: "a") == nil)
    try await secrets.removeExpiredObjects()
    #expect(base.objects.keys.sorted() == ["c"])
    try await secrets.removeAll()
    #expect(base.objects.isEmpty)
  }

  @Test("its errors are thrown with the key; if one value of a batch is refused, none is stored")
  func failures() async throws {
    let secrets = secrets
    await #expect(throws: Failure.first) {
      try await secrets.setObjects(["a": Data([1]), "b": Data()], expiry: nil)
    }
    #expect(base.objects.isEmpty)
    try await base.setObject(Data(), forKey: "a")
    await #expect(throws: Failure.first) { try await secrets.object(forKey: "a") }
    let known = base.mapValues(
      to: Int.self,
      mapTo: { _ in
        await Task.yield()
        throw StorageError.decodingFailed
      }, mapFrom: { Data([UInt8($0)]) })
    await #expect { try await known.object(forKey: "a") } throws: {
      ($0 as? StorageError)?.key as? String == "a"
    }
  }

  @Test("the result has no synchronous functions, while a mapping by plain closures keeps them")
  func faces() throws {
    #expect(!(secrets is any SyncStorageAware))
    let plain: some SyncStorageAware<String, Int> = base.mapValues(
      to: Int.self, mapTo: { $0.count }, mapFrom: { Data(count: $0) })
    try plain.setObject(3, forKey: "a")
    #expect(try plain.object(forKey: "a") == 3 && secrets.peek(forKey: "a") == nil)
  }

  @Test("stores that only read or write are mapped too, and the results can be mapped again")
  func halves() async throws {
    let decrypt: @Sendable (Data) async throws -> Data = { [encryptor] in
      try await encryptor.decrypt(data: $0)
    }
    let encrypt: @Sendable (Data) async throws -> Data = { [encryptor] in
      try await encryptor.encrypt(data: $0)
    }
    try await base.writeOnly().mapValues(encrypt).set(Data("ab".utf8), forKey: "a")
    #expect(base.objects == ["a": Data("ba".utf8)])
    #expect(try await base.readOnly().mapValues(decrypt).retrieve(forKey: "a") == Data("ab".utf8))
    let plain = PlainStore(base).mapValues(mapTo: decrypt, mapFrom: encrypt).singleKey("b")
    try await plain.set(Data("cd".utf8))
    #expect(try await plain.retrieve() == Data("cd".utf8))
    let texts = secrets.mapString()
    #expect(try await texts.mapKeys(to: Key.self).object(forKey: .b) == "cd")
    #expect(try await texts.singleKey("b").retrieve() == "cd")
    #expect(texts.storageHierarchy().contains("mapValues(to: Data)"))
    try await texts.serial().update(forKey: "b") { $0 += "e" }
    #expect(base.objects["b"] == Data("edc".utf8))
  }

  private enum Key: String { case b }
}

/// An encryptor that reverses bytes, and throws for empty data.
private actor Mirror: Encryptor {
  func encrypt(data: Data) throws -> Data {
    if data.isEmpty { throw Failure.first }
    return Data(data.reversed())
  }
  func decrypt(data: Data) throws -> Data { try encrypt(data: data) }
}
