import Foundation
import Strata
import StrataCore
import TestSupport
import Testing

@testable import StrataLoading

/// A store that another machine writes to while this one cannot read it.
@Suite("A loaded value after a failed read of the store", .timeLimit(.minutes(5)), .endsInTime)
struct UnreadTests {
  /// The stores of entries of one machine, over one store that machines share.
  enum Chain: String, CaseIterable, CustomTestStringConvertible {
    case plain, atomic, memoryInFront, guarded, replaying

    var testDescription: String { rawValue }

    func store(over shared: SharedEntries) -> any StorageAware<String, Cached<Int>> {
      switch self {
      case .plain: shared.inner
      case .atomic: shared
      case .memoryInFront: MemoryStorage<String, Cached<Int>>().combined(with: shared)
      case .guarded: MemoryStorage<String, Cached<Int>>().combined(with: shared.breaker())
      case .replaying: MemoryStorage<String, Cached<Int>>().combined(with: shared.inner.replaying())
      }
    }
  }

  let shared = SharedEntries()
  let source = Source()

  /// Makes reads fail until the next load, during which the store is back and another machine writes to it.
  private func partUntilLoad(writing values: [String: Int]) {
    shared.inner.fail(.read)
    source.answers { [shared] _ in
      shared.inner.work()
      for (key, value) in values { try shared.inner.setObject(Cached(value), forKey: key) }
      return .value(1)
    }
  }

  @Test("does not replace what another machine has written meanwhile (case 52)", arguments: Chain.allCases)
  func staysOut(_ chain: Chain) async throws {
    let cache = loading(chain.store(over: shared))
    partUntilLoad(writing: ["a": 7])
    #expect(try await cache.object(forKey: "a") == 1, "the read is answered from the source")
    #expect(try await cache.object(forKey: "a") == 7)
    #expect(shared.inner.objects["a"]?.value == 7)
    #expect(source.loads == 1)
    #expect(cache.statistics.storeFailures == 1)
  }

  @Test("is stored if the store has none", arguments: Chain.allCases)
  func isStored(_ chain: Chain) async throws {
    let cache = loading(chain.store(over: shared))
    partUntilLoad(writing: [:])
    for _ in 0..<2 { #expect(try await cache.object(forKey: "a") == 1) }
    #expect(shared.inner.objects["a"]?.value == 1)
    #expect(source.loads == 1)
  }

  private func loading(_ store: some StorageAware<String, Cached<Int>>) -> LoadingStorage<String, Int> {
    LoadingStorage(store, load: source.load)
  }

  @Test("is stored in one step by a store that supports conditional writes")
  func isAtomic() async throws {
    let cache = loading(shared)
    partUntilLoad(writing: [:])
    #expect(try await cache.object(forKey: "a") == 1)
    #expect(shared.conditionalWrites.value == 1)
    #expect(shared.inner.calls(.read) == 1)
  }

  @Test("of many keys replaces no stored one, and the others are stored")
  func many() async throws {
    let bulk = BulkSource()
    bulk.answers { [shared] _ in
      shared.inner.work()
      try shared.inner.setObject(Cached(7), forKey: "a")
      return ["a": .value(1), "b": .value(2)]
    }
    let cache = shared.loading(many: bulk.load)
    shared.inner.fail(.read)
    #expect(try await cache.objects(forKeys: ["a", "b"]) == ["a": 1, "b": 2])
    #expect(try await cache.objects(forKeys: ["a", "b"]) == ["a": 7, "b": 2])
    #expect(bulk.calls.count == 1)
  }

  @Test("by `refresh` replaces the stored one; an absence removes it", arguments: [true, false])
  func refreshed(_ isAbsent: Bool) async throws {
    let cache = loading(shared.inner)
    try await cache.setObject(7, forKey: "a")
    shared.inner.fail(.read)
    source.answers { [shared] _ in
      shared.inner.work()
      return isAbsent ? .absent() : .value(1)
    }
    if isAbsent {
      await #expect(throws: StorageError.notFound) { try await cache.refresh(forKey: "a") }
    } else {
      #expect(try await cache.refresh(forKey: "a") == 1)
    }
    #expect(shared.inner.objects["a"]?.value == (isAbsent ? nil : 1))
  }

  @Test("loaded by a thread replaces no stored one")
  func onAThread() async throws {
    let shared = shared
    let cache = shared.syncLoading { _ in
      shared.inner.work()
      try shared.inner.setObject(Cached(7), forKey: "a")
      return .value(1)
    }
    shared.inner.fail(.read)
    let read = try await onThread { [try cache.object(forKey: "a"), try cache.object(forKey: "a")] }
    #expect(read == [1, 7])
  }

  @Test("in a store of plain values replaces none, and an absence removes none")
  func plainValues() async throws {
    let plain = DictionaryStorage<String, Int>()
    let isAbsent = Shared(false)
    let cache = plain.loading(LoadPolicy(absentFor: .seconds(9))) { _ in
      plain.work()
      try plain.setObject(7, forKey: "a")
      return isAbsent.value ? .absent() : .value(1)
    }
    plain.fail(.read)
    #expect(try await cache.object(forKey: "a") == 1)
    #expect(try await cache.object(forKey: "a") == 7)
    isAbsent.change { $0 = true }
    plain.fail(.read)
    #expect(try await cache.objectIfPresent(forKey: "a") == nil)
    #expect(try await cache.object(forKey: "a") == 7)
  }

  @Test("in a typed chain over bytes replaces none; bytes that cannot be decoded are replaced")
  func typedChain() async throws {
    let bytes = DictionaryStorage<String, Data>()
    let chain = AsyncStorage(
      front: MemoryStorage<String, TypeWrapper>(), back: bytes, transformer: .codable(Int.self))
    let cache = chain.loading { _ in
      bytes.work()
      if bytes.objects["a"] == nil { try bytes.setObject(Data("7".utf8), forKey: "a") }
      return .value(1)
    }
    bytes.fail(.read)
    #expect(try await cache.object(forKey: "a") == 1)
    #expect(try await cache.object(forKey: "a") == 7)
    try blocking { try bytes.setObject(Data("no number".utf8), forKey: "b") }
    #expect(try await cache.object(forKey: "b") == 1)
    #expect(try await cache.storedEntry(forKey: "b")?.value == 1)
  }

  @Test("from a refresh on demand replaces the stored one")
  func onDemand() async throws {
    let cache = loading(shared)
    partUntilLoad(writing: ["a": 7])
    #expect(try await cache.refresh(forKey: "a") == 1)
    #expect(shared.inner.objects["a"]?.value == 1)
  }

  @Test("waits while the store fails, and then does not replace what another machine has written")
  func pending() async throws {
    let replaying = shared.replaying(clock: ManualClock())
    let cache = loading(replaying)
    shared.inner.fail(.read, .write)
    for key in ["a", "b"] { #expect(try await cache.object(forKey: key) == 1) }
    #expect(try await cache.object(forKey: "a") == 1)
    #expect(source.loads == 2, "pending values are read")
    shared.inner.work()
    try blocking { try shared.inner.setObject(Cached(7), forKey: "a") }
    try await replaying.replay()
    #expect(try await cache.object(forKey: "a") == 7)
    #expect(shared.inner.objects["b"]?.value == 1)
  }
}

/// A store that machines share: reads of it can fail, and its conditional writes are counted.
final class SharedEntries: SyncSimpleConditionalStorage {
  let inner = DictionaryStorage<String, Cached<Int>>()
  let conditionalWrites = Shared(0)

  func entryIfPresent(forKey key: String) throws -> Entry<Cached<Int>>? {
    try inner.entryIfPresent(forKey: key)
  }
  func setObject(_ object: Cached<Int>, forKey key: String, expiry: Expiry?) throws {
    try inner.setObject(object, forKey: key, expiry: expiry)
  }
  func setIfAbsent(_ object: Cached<Int>, forKey key: String, expiry: Expiry?) throws -> Bool {
    conditionalWrites.change { $0 += 1 }
    if inner.objects[key] != nil { return false }
    try inner.setObject(object, forKey: key, expiry: expiry)
    return true
  }
  func touch(forKey key: String, expiry: Expiry) throws -> Bool {
    try inner.change(key, .touch(expiry), [])
  }
  func removeObject(forKey key: String) throws { try inner.removeObject(forKey: key) }
  func removeAll() throws { try inner.removeAll() }
  func removeExpiredObjects() throws { try inner.removeExpiredObjects() }
  func keys() throws -> [String] { try inner.keys() }
}
