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
/// Implementation:
/// - `KeysInUse`, one for each of a fixed number of shards, holds the keys in use and their runners. A key without
///   waiters is taken and released there: two short locks, no allocation. Several keys are taken as a `KeyBatch`.
/// - `TurnTable` holds the queues of keys with waiters, and the fences; one lock guards all of it. The first waiter of
///   a key creates its queue, with the current holder of the key as its first member. When a key with a queue is
///   released, the table selects the next turn. While there is a fence, the shards are closed, and every key has a
///   queue.
/// - A turn of several keys enters all its queues atomically and passes no other turn. Only a thread that already has a
///   turn takes several keys one after the other. It keeps the keys it has, and the turns it waits for are running, so
///   every cycle is detected.
/// - A waiting runner that may have other turns is recorded in `WaitGraph`. A cancelled turn leaves its queues at once.
///
/// Locks are held only while a table is read or changed, never while an operation runs. They are taken in one order:
/// `WaitGraph`, table, shard.
@usableFromInline
package final class KeyOrder<Key: Hashable & Sendable>: Sendable {
  /// Unchecked: turns are only accessed under the table's lock.
  struct Table: ~Copyable, @unchecked Sendable {
    var turns = TurnTable<Key, Turn<Key>>()
  }

  let table = Locked(Table())
  @usableFromInline let shards: PaddedBuffer<KeyShard<Key>>

  /// Whether a task that has a turn may wait for other tasks. `false` if all code that runs in turns is synchronous.
  @usableFromInline let tasksMayWait: Bool

  /// Whether code that runs in turns may suspend. If not, a task waits for its turn by blocking its thread, as
  /// synchronous callers do. A suspended task would need a thread to begin its turn, and callers that are blocked
  /// behind it could hold all threads of the cooperative pool.
  package let tasksSuspend: Bool

  /// Where tasks run that wait for a turn or have one. `nil`: where they are called.
  @usableFromInline let executor: PoolExecutor?

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

  /// Creates the order of operations that use certain stores in their turns.
  package convenience init(over stores: [any StorageAware]) {
    self.init(
      tasksMayWait: stores.contains { mayWait($0) },
      tasksSuspend: stores.contains { maySuspend($0) },
      threadsMayWait: stores.allSatisfy { $0 is any SyncStorageAware })
  }

  /// Returns a key's hash, which selects its shard.
  @inlinable
  static func hash(_ key: Key) -> Int { key._rawHashValue(seed: 0) }

  // MARK: The fast path

  /// Takes a key if it is neither taken nor waited for. Returns whether the key was taken.
  @inlinable
  func take(_ key: Key, _ hash: Int, by runner: Runner) -> Bool {
    shards[hash].pointee.withLock { $0.take(key, hash: hash, by: runner) }
  }

  /// Returns whether no operation has, or waits for, the turn of a key with this hash. Takes no lock.
  ///
  /// A write of a store may then do without a turn, if it holds a lock of that store meanwhile, and every operation
  /// that reads a value to change it takes the same lock to read. Such an operation either has not read yet, and will
  /// see the write, or had taken its turn before it read, and this returns `false`.
  @inlinable
  package func isIdle(_ hash: Int) -> Bool { shards[hash].pointee.isIdle }

  /// Returns a mark of the turns until now, for `hasMerelyBegun`.
  @inlinable
  package func mark(of key: Key) -> Int { shards[Self.hash(key)].pointee.locked }

  /// Returns, in a turn of the key, whether no other turn of it has ended since the mark: then what was read since the
  /// mark is what a read in this turn would find. May return `false` even if none has ended.
  @inlinable
  package func hasMerelyBegun(_ key: Key, since mark: Int) -> Bool { self.mark(of: key) == mark &+ 1 }

  /// Returns whether a key is taken.
  @inlinable
  func isTaken(_ key: Key, _ hash: Int) -> Bool {
    shards[hash].pointee.withLock { $0.contains(key, hash: hash) }
  }

  /// Releases a key that was taken.
  @inlinable
  func release(_ key: Key, _ hash: Int) {
    if !shards[hash].pointee.withLock({ $0.release(key, hash: hash) }) { leaveLine(of: key, finding: nil) }
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

  /// Runs `body` in the key's turn. Returns `nil`, without waiting, if the key is taken or waited for.
  ///
  /// - Parameter attempts: how often to try again. Where all operations are shorter than a change of threads, a caller
  ///   that queues would make all others queue behind it.
  @inlinable
  package func ifFree<R>(
    _ key: Key, reads: Bool = false, attempts: Int = 0, _ body: () throws -> R
  ) rethrows -> R? {
    let thread = ThreadTurns.current
    let hash = Self.hash(key)
    let runner = Runner(thread)
    guard take(key, hash, by: runner) || takeSoon(key, hash, by: runner, attempts: attempts) else {
      return nil
    }
    defer { release(key, hash) }
    return try thread.hold(self, .key(key), reads: reads, body)
  }

  /// Runs a read in the key's turn. Throws `WouldWait`, without waiting, if the key is taken or waited for.
  @inlinable
  package func atOnce<R>(_ key: Key, _ read: () throws -> R) throws -> R {
    guard let found = try ifFree(key, reads: true, read) else { throw WouldWait() }
    return found
  }

  /// Runs a change in the key's turn, if the turn is free now. Otherwise throws `WouldWait`.
  @inlinable
  package func changeAtOnce<R>(_ key: Key, _ change: () throws -> R) throws -> R {
    guard let result = try ifFree(key, change) else { throw WouldWait() }
    return result
  }

  // MARK: Errors

  static func circle(_ scope: TurnScope<Key>) -> StorageError {
    StorageError.deadlock.with(
      "this operation and the one that it is called from would wait for each other: call the store before or after an operation on the same keys, not from inside it, and not from a task that is started inside it, unless that is a `Task.detached`",
      key: key(of: scope))
  }

  static func reentry(_ scope: TurnScope<Key>) -> StorageError {
    StorageError.deadlock.with(
      "a write from inside `update` of the same key: change the value that the closure is given instead",
      key: key(of: scope))
  }

  private static func key(of scope: TurnScope<Key>) -> (any Sendable)? {
    if case .key(let key) = scope, !(key is SerialLine.Whole) { key } else { nil }
  }
}
