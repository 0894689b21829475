public import StrataCore
public import Synchronization

/// A part of a memory storage with a lock of its own.
@usableFromInline
struct MemoryShard<Key: Hashable & Sendable, Value: Sendable>: ~Copyable, Sendable {
  @usableFromInline let table = Locked(RecencyTable<Key, Value>())
  /// The stamp of the entry that was used least recently, to be read without the lock.
  @usableFromInline let oldestStamp = Atomic(UInt64.max)
  /// Keeps the locks of two shards out of one cache line.
  private let padding: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

  /// Runs `body` alone with the table.
  @inlinable
  func withTable<R: Sendable, E: Error>(
    _ body: (inout RecencyTable<Key, Value>) throws(E) -> R
  ) throws(E) -> R {
    try table.withLock { (table) throws(E) in
      let result = try body(&table)
      oldestStamp.store(table.oldestNode?.stamp ?? .max, ordering: .relaxed)
      return result
    }
  }
}

/// The shards of a memory storage: a fixed array of values that cannot be copied, which `Array` could not hold.
///
/// Unchecked and unsafe: the buffer is made once, never changed and freed with its owner; its elements are `Sendable`.
@usableFromInline
final class MemoryShards<Key: Hashable & Sendable, Value: Sendable>: @unchecked Sendable {
  @usableFromInline typealias Shard = MemoryShard<Key, Value>
  @usableFromInline typealias Table = RecencyTable<Key, Value>

  @usableFromInline let buffer: UnsafeMutableBufferPointer<Shard>
  @usableFromInline let mask: Int

  /// Makes a power of two of shards.
  init(count: Int) {
    buffer = .allocate(capacity: count)
    mask = count - 1
    for index in 0..<count { buffer.initializeElement(at: index, to: MemoryShard()) }
  }

  deinit {
    buffer.deinitialize()
    buffer.deallocate()
  }

  /// The shard of a hash. Tables use the low bits, so the choice is made by high ones.
  @inlinable
  func index(_ hash: Int) -> Int { (hash &>> (Int.bitWidth &- 8)) & mask }

  /// The shard whose oldest entry is the oldest of all, as far as is known without their locks.
  @inlinable
  func oldest() -> (index: Int, stamp: UInt64) {
    var oldest = (index: 0, stamp: UInt64.max)
    for index in 0...mask {
      let stamp = buffer[index].oldestStamp.load(ordering: .relaxed)
      if stamp < oldest.stamp { oldest = (index, stamp) }
    }
    return oldest
  }

  /// Runs `body` with each table, all of them locked.
  func withAllTables(_ body: (inout Table) -> Void) { withTables(from: 0, body) }

  private func withTables(from index: Int, _ body: (inout Table) -> Void) {
    if index > mask { return }
    buffer[index].withTable { table in
      withTables(from: index + 1, body)
      body(&table)
    }
  }
}
