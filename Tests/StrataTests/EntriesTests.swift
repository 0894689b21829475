import Foundation
import Strata
import TestSupport
import Testing

/// `setEntries` through a chain: each entry keeps its expiry, in all tiers.
@Suite struct EntriesTests {
  /// A store of bytes that counts its batches.
  private final class Counting: SyncSimpleStorage {
    let inner = DictionaryStorage<String, Data>()
    let batches = Locked(0)

    func entryIfPresent(forKey key: String) throws -> Entry<Data>? { try inner.entryIfPresent(forKey: key) }
    func setObject(_ object: Data, forKey key: String, expiry: Expiry?) throws {
      batches.withLock { $0 += 1 }
      try inner.setObject(object, forKey: key, expiry: expiry)
    }
    func setEntries(_ entries: [String: Entry<Data>]) throws {
      batches.withLock { $0 += 1 }
      try inner.setEntries(entries)
    }
    func removeObject(forKey key: String) throws { try inner.removeObject(forKey: key) }
    func removeAll() throws { try inner.removeAll() }
    func removeExpiredObjects() throws { try inner.removeExpiredObjects() }
    func keys() throws -> [String] { try inner.keys() }
  }

  private static let mixed = [
    "a": Entry(object: 1), "b": Entry(object: 2, expiry: .date(.distantFuture)),
    "c": Entry(object: 3, expiry: .date(Date(timeIntervalSince1970: 4_000_000_000))),
  ]

  /// Entries with different expiries reach the last tier as one batch, which it may store as one step.
  @Test func aChainPassesEntriesOnAsOneBatch() async throws {
    let back = Counting()
    let memory = MemoryStorage<String, TypeWrapper>()
    let store = Storage(front: memory, back: back, transformer: .codable(Int.self))
    try blocking { try store.setEntries(Self.mixed) }
    try await store.setEntries(Self.mixed)
    try await store.async.setEntries(Self.mixed)
    try await store.serial().setEntries(Self.mixed)
    #expect(back.batches.withLock { $0 } == 4)
    let typed = back.transform(to: .codable(Int.self))
    try blocking { try typed.setEntries(Self.mixed) }
    try await typed.setEntries(Self.mixed)
    try await back.mapValues(to: Int.self, mapTo: { $0.count }, mapFrom: { Data(count: $0) })
      .setEntries(Self.mixed)
    #expect(back.batches.withLock { $0 } == 7)
  }

  @Test func observersReceiveEachEntryOfABatch() throws {
    let store = Storage(
      front: MemoryStorage(), back: DictionaryStorage<String, Data>(), transformer: .codable(Int.self))
    let heard = Locked<Set<String>>([])
    let observer = Counting()
    let token = store.addStorageObserver(observer) { _, _, change in
      if case .add(let key) = change { heard.withLock { _ = $0.insert(key) } }
    }
    try store.setEntries(Self.mixed)
    #expect(heard.withLock { $0 } == ["a", "b", "c"])
    withExtendedLifetime(token) {}
  }

  @Test func entriesKeepTheirExpiriesInAllTiers() throws {
    let back = DictionaryStorage<String, Data>()
    let memory = MemoryStorage<String, TypeWrapper>()
    let store = Storage(front: memory, back: back, transformer: .codable(Int.self))
    let dates = (1...3).map { Date(timeIntervalSince1970: 4_000_000_000 + Double($0)) }
    var entries = ["never": Entry(object: 0)]
    for (number, date) in dates.enumerated() {
      entries["\(number)"] = Entry(object: number, expiry: .date(date))
    }
    try store.setEntries(entries)
    for (key, entry) in entries {
      #expect(try store.object(forKey: key) == entry.object)
      #expect(try store.expiryIfPresent(forKey: key) == entry.expiry)
      #expect(memory.peek(forKey: key)?.expiry == entry.expiry)
      #expect(try back.expiryIfPresent(forKey: key) == entry.expiry)
    }
  }
}
