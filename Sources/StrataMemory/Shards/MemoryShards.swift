public import StrataDelegate
public import Synchronization

/// A part of a memory storage with its own lock.
@usableFromInline
struct MemoryShard<Key: Hashable & Sendable, Value: Sendable>: ~Copyable, Sendable {
  @usableFromInline let table: Locked<MemoryTable<Key, Value>>
  /// The table's count and cost, readable without the lock.
  @usableFromInline let count = Atomic(0)
  @usableFromInline let cost = Atomic(0)

  @inlinable
  init(hasCosts: Bool, idleTime: Double?) {
    table = Locked(MemoryTable(hasCosts: hasCosts, idleTime: idleTime))
  }

  /// Runs `body`, which may add or remove entries, with exclusive access to the table.
  @inlinable
  func change<R: Sendable, E: Error>(
    _ body: (inout MemoryTable<Key, Value>) throws(E) -> R
  ) throws(E) -> R {
    try table.withLock { (table) throws(E) in
      let result = try body(&table)
      count.store(table.count, ordering: .relaxed)
      cost.store(table.cost, ordering: .relaxed)
      return result
    }
  }
}

/// The shards of a memory storage: a fixed array of noncopyable values, which `Array` cannot hold.
///
/// Unchecked and unsafe: the buffer is allocated once, never changed, and freed with its owner; its elements are
/// `Sendable`.
@usableFromInline
final class MemoryShards<Key: Hashable & Sendable, Value: Sendable>: @unchecked Sendable {
  @usableFromInline typealias Shard = MemoryShard<Key, Value>
  @usableFromInline typealias Table = MemoryTable<Key, Value>

  @usableFromInline let buffer: UnsafeMutableRawPointer
  @usableFromInline let mask: UInt32

  /// Creates `count` shards, a power of two.
  init(count: Int, hasCosts: Bool, idleTime: Double?) {
    buffer = .allocate(byteCount: count * Self.stride, alignment: Self.lines)
    mask = UInt32(count - 1)
    for number in 0..<count {
      (buffer + number * Self.stride).initializeMemory(
        as: Shard.self, to: MemoryShard(hasCosts: hasCosts, idleTime: idleTime))
    }
  }

  deinit {
    for number in 0..<count { shard(number: number).deinitialize(count: 1) }
    buffer.deallocate()
  }

  @inlinable
  var count: Int { Int(mask) + 1 }

  /// Returns the number of a hash's shard. Tables use the first bits and the last ten, so the bits above the last ten
  /// decide.
  @inlinable
  func number(_ hash: UInt32) -> Int { Int(hash &>> MemoryPage.bits & mask) }

  /// Returns the shard of a hash.
  @inlinable
  func shard(_ hash: UInt32) -> UnsafeMutablePointer<Shard> { shard(number: number(hash)) }

  /// Returns the shard with a number.
  @inlinable
  func shard(number: Int) -> UnsafeMutablePointer<Shard> {
    (buffer + number &* Self.stride).assumingMemoryBound(to: Shard.self)
  }

  /// Two cache lines: processors fetch them in pairs. Shards do not share one, so threads on different shards do not
  /// contend for it.
  @inlinable
  static var lines: Int { 128 }
  @inlinable
  static var stride: Int { (MemoryLayout<Shard>.stride + lines - 1) / lines * lines }

  /// Returns the number of the shard that holds most of the limited amount, approximately, since no lock is taken.
  @inlinable
  func fullest(_ limit: MemoryRemovalReason) -> Int {
    var fullest = (number: 0, load: -1)
    for number in 0..<count {
      let load =
        limit == .costLimit
        ? shard(number: number).pointee.cost.load(ordering: .relaxed)
        : shard(number: number).pointee.count.load(ordering: .relaxed)
      if load > fullest.load { fullest = (number, load) }
    }
    return fullest.number
  }

  /// Runs `body` with each table, with all of them locked.
  func withAllTables(_ body: (inout Table) -> Void) { withTables(from: 0, body) }

  private func withTables(from index: Int, _ body: (inout Table) -> Void) {
    if index >= count { return }
    shard(number: index).pointee.change { table in
      withTables(from: index + 1, body)
      body(&table)
    }
  }
}
