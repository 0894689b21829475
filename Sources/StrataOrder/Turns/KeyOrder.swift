public import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Per-key ordering: operations on one key never interleave, operations on different keys run concurrently.
///
/// Threads and tasks wait in the same first-in, first-out queues: a thread blocks, a task suspends. An operation may
/// take one key, several keys, or everything (then it runs alone).
///
/// **Deadlocks are detected.** A thread that has a turn may take another inside a callback. It goes ahead of all
/// waiting turns, and throws `.deadlock` if the turn could never come. A task that has a turn waits in the queue for
/// another one, and throws `.deadlock` if that turn waits for the task. Tasks that it starts while it has the turn
/// count as part of it (`OngoingOperation`).
///
/// A turn of several keys enters all its queues atomically and passes no other turn. Only a thread that already has a
/// turn takes several keys one after the other. It keeps the keys it has, and the turns it waits for are running, so
/// every cycle is detected.
///
/// Locks are held only while a table is read or changed, never while an operation runs. They are taken in one order:
/// `WaitGraph`, table, shard.
@usableFromInline
package final class KeyOrder<Key: Hashable & Sendable>: Sendable {
  typealias Table = TurnTable<Key, Turn<Key>>

  /// The queues of keys with waiters, and the fences.
  let table = Locked(Table())
  /// The keys in use. While there is a fence, the shards are closed, and every key has a queue.
  @usableFromInline let shards: PaddedBuffer<KeyShard<Key>>

  /// Whether a task that has a turn may wait for other tasks. `false` if all code that runs in turns is synchronous.
  @usableFromInline let tasksMayWait: Bool

  /// Whether code that runs in turns may suspend. If not, a task waits for its turn by blocking its thread, as
  /// synchronous callers do. A suspended task would need a thread to begin its turn, and callers that are blocked
  /// behind it could hold all threads of the cooperative pool.
  package let tasksSuspend: Bool

  /// Where tasks run that wait for a turn or have one. `nil`: where they are called.
  @usableFromInline package let executor: PoolExecutor?

  /// - Parameter threadsMayWait: whether callers without `await` may wait for turns too.
  package init(
    shards count: Int = 16, tasksMayWait: Bool = true, tasksSuspend: Bool = true, threadsMayWait: Bool = false
  ) {
    precondition(count <= 64, "a batch has a bit for each shard")
    shards = PaddedBuffer(count: count) { KeyShard() }
    self.tasksMayWait = tasksMayWait
    self.tasksSuspend = tasksSuspend
    executor = tasksSuspend && threadsMayWait ? .shared : nil
  }

  /// Returns a key's hash, which selects its shard.
  @inlinable
  static func hash(_ key: Key) -> Int { key._rawHashValue(seed: 0) }

  /// Returns whether no operation has, or waits for, the turn of a key with this hash. Takes no lock.
  ///
  /// A write of a store may then do without a turn, if it holds a lock of that store meanwhile, and every operation
  /// that reads a value to change it takes the same lock to read. Such an operation either has not read yet, and will
  /// see the write, or had taken its turn before it read, and this returns `false`.
  @inlinable
  package func isIdle(_ hash: Int) -> Bool { shards[hash].pointee.isIdle.load(ordering: .acquiring) }

  /// Returns a mark of the turns until now, for `hasMerelyBegun`.
  @inlinable
  package func mark(of key: Key) -> Int { shards[Self.hash(key)].pointee.count.load(ordering: .acquiring) }

  /// Returns, in a turn of the key, whether no other turn of it has ended since the mark: then what was read since the
  /// mark is what a read in this turn would find. May return `false` even if none has ended.
  @inlinable
  package func hasMerelyBegun(_ key: Key, since mark: Int) -> Bool { self.mark(of: key) == mark &+ 1 }

  // MARK: The fast path

  /// Takes a key if it is neither taken nor waited for. Returns whether the key was taken.
  ///
  /// - Parameter attempts: how often to try again. Where all operations are shorter than a change of threads, a caller
  ///   that queues would make all others queue behind it.
  @inlinable
  func take(_ key: Key, _ hash: Int, by runner: Runner, attempts: Int = 0) -> Bool {
    shards[hash].pointee.withLock { $0.take(key, hash: hash, by: runner) }
      || attempts > 0 && takeSoon(key, hash, by: runner, attempts: attempts)
  }

  /// Takes a key that another thread is about to release: lets other threads run, and tries again a few times. The
  /// pauses become longer, since every try slows down the thread that has the key.
  @usableFromInline
  @inline(never)
  func takeSoon(_ key: Key, _ hash: Int, by runner: Runner, attempts: Int) -> Bool {
    for attempt in 0..<attempts {
      for _ in 0...min(attempt, 15) { sched_yield() }
      if take(key, hash, by: runner) { return true }
    }
    return false
  }

  /// Takes several keys if none of them is taken or waited for. Returns `nil` otherwise, and has taken none.
  @inlinable
  func take(_ keys: Set<Key>, by runner: Runner) -> KeyBatch<Key>? {
    let batch = KeyBatch(keys, runner: runner, shardCount: shards.count)
    for shard in 0..<shards.count where batch.isIn(shard) {
      if shards[shard].pointee.withLock({ $0.take(batch, in: shard) }) { continue }
      release(batch, below: shard)
      return nil
    }
    return batch
  }

  /// Releases a key that was taken. If it has a queue, ends its turn there.
  ///
  /// - Parameter finding: the result of a read, for the next read in the queue.
  @inlinable
  func release(_ key: Key, _ hash: Int, finding: @autoclosure () -> (any Sendable)? = nil) {
    if shards[hash].pointee.withLock({ $0.release(key, hash: hash) }) { return }
    leaveQueue(of: key, finding: finding())
  }

  /// Releases the keys of a batch. Ends the turns of those that have queues.
  @inlinable
  func release(_ batch: KeyBatch<Key>) { release(batch, below: shards.count) }

  /// Releases the keys of a batch in the shards below a number, in descending order (see `KeyBatch.isCompared`).
  @inlinable
  func release(_ batch: KeyBatch<Key>, below end: Int) {
    for shard in (0..<end).reversed() where batch.isIn(shard) {
      for key in shards[shard].pointee.withLock({ $0.release(batch) }) { leaveQueue(of: key, finding: nil) }
    }
  }
}

/// The single key of an order of whole stores.
@usableFromInline
package struct WholeStore: Hashable, Sendable {
  @inlinable
  package init() {}

  /// Returns a constant: the only key needs no hash, and computing one takes as long as taking a turn.
  @inlinable
  package func _rawHashValue(seed: Int) -> Int { 0 }
}
