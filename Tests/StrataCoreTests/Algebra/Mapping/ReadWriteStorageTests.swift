#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import TestSupport
import Testing

/// Tests of stores that are read and written under the single name `Storage`, as in programs for AsyncStorages.
struct ReadWriteStorageTests {
  private typealias Storage = ReadWriteStorage

  /// A program's own store. It declares neither associated type, as in AsyncStorages.
  private actor Bytes: Storage {
    private var values: [String: Data] = [:]
    func retrieve(forKey key: String) async throws -> Data {
      guard let value = values[key] else { throw StorageError.notFound }
      return value
    }
    func set(_ value: Data, forKey key: String) async throws { values[key] = value }
  }

  private func named(_ storage: some Storage<String, Data>) -> any Storage<String, Data> { storage }
  private func numbers(_ storage: some Storage<String, Data>) -> some Storage<Int, Int> {
    storage.mapJSONObject(Int.self).mapKeys { "\($0)" }.serial()
  }

  /// Returns the result of every combinator on a store; each result is a `Storage` too.
  private func all(_ storage: some Storage<String, Data>) -> [any Storage<String, Data>] {
    [
      storage.mapValues(mapTo: { $0 }, mapFrom: { $0 }),
      storage.mapValues(to: Data.self, mapTo: { data async in data }, mapFrom: { data async in data }),
      storage.mapKeys { $0 }, storage.combined(with: Bytes()), storage.backed(by: Bytes()),
      storage.pushing(to: Bytes()), storage.serial(), storage.obscureWrappedStorages(),
      storage.usingStringKeys(),
      storage.recover { (error) async throws in throw error }, storage.defaulting(to: Data()),
      storage.transformingStorages(readable: { $0 }, writable: { $0 }),
      zip(storage, Bytes()).mapValues(mapTo: { $0.0 }, mapFrom: { ($0, $0) }),
      storage.mapString().mapValues(
        mapTo: { Data($0.utf8) }, mapFrom: { String(decoding: $0, as: UTF8.self) }),
    ]
  }

  @Test func aCustomStore() async throws {
    for storage in all(Bytes()) + [named(Bytes()), named(DictionaryStorage<String, Data>())] {
      try await storage.set(Data("x".utf8), forKey: "key")
      #expect(try await storage.retrieve(forKey: "key") == Data("x".utf8), "\(storage.storageName)")
    }
    let numbers = numbers(Bytes())
    try await numbers.set(2, forKey: 1)
    #expect(try await numbers.retrieve(forKey: 1) == 2)
  }

  @Test func oneOfStratas() async throws {
    for storage in all(DictionaryStorage<String, Data>()) {
      try await storage.set(Data("x".utf8), forKey: "key")
      #expect(try await storage.retrieve(forKey: "key") == Data("x".utf8), "\(storage.storageName)")
    }
  }

  @Test func halvesAreNoStorage() {
    let storage = DictionaryStorage<String, Data>()
    #expect(!(storage.readOnly() is any Storage))
    #expect(!(storage.writeOnly() is any Storage))
    #expect(!(storage.readOnly().defaulting(to: Data()) is any Storage))
  }

  /// `retrieve` of a readable store that cannot fail needs no `try`.
  @Test func retrieveOfANonFallibleHalf() async throws {
    let storage = DictionaryStorage<String, Int>()
    let made = storage.transformingStorages(readable: { $0.defaulting(to: 1) }, writable: { $0 })
    let composed = ComposedStorage(readable: storage.readOnly().recover { _ in 2 }, writable: storage)
    #expect(await made.retrieve(forKey: "key") == 1)
    #expect(await composed.retrieve(forKey: "key") == 2)
    try await made.set(3, forKey: "key")
    #expect(await composed.retrieve(forKey: "key") == 3)
  }
}
