import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import TestSupport
import Testing

/// Tests of `cacheable: true` of PingStorage, and of the equivalent for a chain: only values that were saved with
/// success, or read, are cached.
@Suite("StorageDelegate: cacheable")
struct CacheableTests {
  /// The form of the cache: a delegate in front of one item, or memory in front of a chain.
  enum Form: CaseIterable, Sendable { case delegate, combined }

  private struct Subject {
    let store = DictionaryStorage<String, Int>()
    let item: any ItemStorage<Int>

    init(_ form: Form) {
      item =
        switch form {
        case .delegate: StorageDelegate(delegate: store.item(forKey: "item"), cacheable: true)
        case .combined: DictionaryStorage<String, Int>().combined(with: store).item(forKey: "item")
        }
    }
  }

  @Test("a successfully saved value is served without reading the store", arguments: Form.allCases)
  func saved(_ form: Form) async throws {
    let subject = Subject(form)
    try await subject.item.save(item: 1)
    #expect(try await subject.store.object(forKey: "item") == 1)
    subject.store.fail(.read)
    for _ in 0..<3 { #expect(try await subject.item.get() == 1) }
  }

  @Test(
    "a value whose save failed is not cached, and the old one is not served from the cache",
    arguments: Form.allCases)
  func notSaved(_ form: Form) async throws {
    let subject = Subject(form)
    subject.store.fail(.write)
    await #expect(throws: Failure.first) { try await subject.item.save(item: 1) }
    #expect(try await subject.item.get() == nil)
    subject.store.work()
    try await subject.item.save(item: 2)
    subject.store.fail(.write)
    await #expect(throws: Failure.first) { try await subject.item.save(item: 3) }
    subject.store.work()
    try await subject.store.setObject(4, forKey: "item")
    #expect(try await subject.item.get() == 4)
  }

  @Test("a read caches the value that it found, but not its absence", arguments: Form.allCases)
  func found(_ form: Form) async throws {
    let subject = Subject(form)
    #expect(try await subject.item.get() == nil)
    try await subject.store.setObject(1, forKey: "item")
    #expect(try await subject.item.get() == 1)
    subject.store.fail(.read)
    #expect(try await subject.item.get() == 1)
  }

  @Test(
    "without a cached value, failures of the store are thrown; a deletion removes the cached value",
    arguments: Form.allCases)
  func failureAndDeletion(_ form: Form) async throws {
    let subject = Subject(form)
    subject.store.fail(.read)
    await #expect(throws: Failure.first) { try await subject.item.get() }
    subject.store.work()
    try await subject.item.save(item: 1)
    try await subject.item.delete()
    #expect(try await subject.item.get() == nil)
    #expect(try await subject.store.objectIfPresent(forKey: "item") == nil)
  }

  @Test("with `false` every read reads the store")
  func withoutCache() async throws {
    let store = DictionaryStorage<String, Int>()
    let delegate = StorageDelegate(delegate: store.item(forKey: "item"), cacheable: false)
    try await delegate.save(item: 1)
    try await store.setObject(2, forKey: "item")
    #expect(try await delegate.get() == 2)
  }
}
