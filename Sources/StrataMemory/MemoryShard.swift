public import StrataCore
public import Synchronization

/// A part of a memory storage with a lock of its own.
@usableFromInline
final class MemoryShard<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  @usableFromInline let table = Locked(RecencyTable<Key, Value>())
  /// The stamp of the entry that was used least recently, to be read without the lock.
  @usableFromInline let oldestStamp = Atomic(UInt64.max)

  init() {}

  /// Runs `body` alone with the table.
  func withTable<R: Sendable, E: Error>(
    _ body: (inout RecencyTable<Key, Value>) throws(E) -> R
  ) throws(E) -> R {
    try table.withLock { (table) throws(E) in
      let result = try body(&table)
      oldestStamp.store(table.oldestNode?.stamp ?? .max, ordering: .relaxed)
      return result
    }
  }

  /// Runs `body` alone with the tables of all shards.
  static func withTables(
    of shards: ArraySlice<MemoryShard>, _ body: (inout RecencyTable<Key, Value>) -> Void, then end: () -> Void
  ) {
    guard let first = shards.first else { return end() }
    first.withTable { table in
      withTables(of: shards.dropFirst(), body, then: end)
      body(&table)
    }
  }
}
