/// Keeps operations on one key from interleaving, and lets those on different keys run side by side.
///
/// Threads and tasks stand in the same lines, first come first served: a thread waits by blocking, a task by
/// suspending. An operation may take one key, several, or everything (then it runs alone).
///
/// **Nothing waits for itself.** A thread that has a turn may ask for another from inside a callback: it passes those
/// that only wait, and throws `.deadlock` if the turn could never come. A task that has a turn waits in line for
/// another one, and throws `.deadlock` if that one waits for the task. The tasks that it starts while it has the turn
/// count as part of it (`OngoingOperation`).
///
/// How it is built:
/// - `KeysInUse`, one for each of a fixed number of shards, tells which keys are taken and by whom. A key that nobody
///   else wants is taken and given back there: two short locks, no allocation.
/// - `TurnTable` has the lines of those keys for which somebody waits, and the fences; one lock for all. The first to
///   wait for a key makes its line, with a place in it for whoever has the key; who gives back a key that has a line
///   asks the table who is next. While there is a fence, the shards are closed, and every key has a line.
/// - A turn of several keys enters all lines in one step and passes nobody. Only a thread that has another turn already
///   takes them one after the other: what it has then is not taken from it, and what it waits for runs, so that every
///   circle can be seen.
/// - Whoever waits is noted in `WaitGraph` if it may have other turns. One that gives up leaves its lines at once.
///
/// Locks are held for a look into a table, never while an operation runs, and are taken in one order: `WaitGraph`,
/// table, shard.
@usableFromInline
package final class KeyOrder<Key: Hashable & Sendable>: Sendable {
  /// Unchecked: turns are only touched under the lock that holds this table.
  struct Table: ~Copyable, @unchecked Sendable {
    var turns = TurnTable<Key, Turn<Key>>()
  }

  @usableFromInline typealias Shard = Locked<KeysInUse<Key>>

  let table = Locked(Table())
  @usableFromInline let shards: PaddedBuffer<Shard>

  /// Whether a task that has a turn may wait for other tasks: not where all that runs in a turn is synchronous.
  @usableFromInline let tasksMayWait: Bool

  package init(shards count: Int = 16, tasksMayWait: Bool = true) {
    shards = PaddedBuffer(count: count) { Shard(KeysInUse()) }
    self.tasksMayWait = tasksMayWait
  }

  // MARK: The quick way

  /// Takes a key if nobody has it or waits for it.
  @inlinable
  func take(_ key: Key, _ hash: Int, by runner: Runner) -> Bool {
    shards[hash].pointee.withLock { $0.take(key, hash: hash, by: runner) }
  }

  /// Whether somebody has a key.
  @inlinable
  func isTaken(_ key: Key, _ hash: Int) -> Bool {
    shards[hash].pointee.withLock { $0.contains(key, hash: hash) }
  }

  /// Gives back a key that was taken.
  @inlinable
  func release(_ key: Key, _ hash: Int) {
    if !shards[hash].pointee.withLock({ $0.release(key, hash: hash) }) { leaveLine(of: key, finding: nil) }
  }

  /// Runs `body` in the turn of a key if it comes at once; `nil` if others have the key or wait for it.
  @inlinable
  package func ifFree<R>(_ key: Key, reads: Bool = false, _ body: () throws -> R) rethrows -> R? {
    let thread = ThreadTurns.current
    let hash = key.hashValue
    guard take(key, hash, by: Runner(thread)) else { return nil }
    defer { release(key, hash) }
    return try thread.hold(self, .key(key), reads: reads, body)
  }

  /// Runs a read in the turn of a key if it comes at once. Throws `WouldWait` if others have the key or wait for it.
  @inlinable
  package func atOnce<R>(_ key: Key, _ read: () throws -> R) throws -> R {
    guard let found = try ifFree(key, reads: true, read) else { throw WouldWait() }
    return found
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
