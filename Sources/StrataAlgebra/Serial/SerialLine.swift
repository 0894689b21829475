public import StrataCore
public import Synchronization

/// One first-in, first-out queue for all operations.
///
/// It is a `KeyOrder` of one key. Threads and tasks wait in the same queue: a thread blocks, a task suspends.
///
/// A call from inside an `update` of the same queue would wait for itself, so it throws `.deadlock`.
@usableFromInline
package final class SerialLine: Sendable {
  @usableFromInline typealias Whole = WholeStore

  @usableFromInline let order: KeyOrder<Whole>
  /// The number of operations that may have changed entries. Written in turns.
  @usableFromInline let changes = Atomic(0)

  /// Creates the queue of a store for which only tasks wait.
  package init() { order = KeyOrder(shards: 1) }

  /// Creates the queue of a store. Its updates suspend where their closures do, even if the store does not.
  package init(over base: any StorageAware) {
    order = KeyOrder(
      shards: 1, tasksMayWait: mayWait(base), tasksSuspend: true, threadsMayWait: base is any SyncStorageAware
    )
  }

  /// Runs `body` when its turn has come, and suspends the task until then. Throws `CancellationError` if the task is
  /// cancelled while it waits. Once `body` has started, the turn is not cancelled.
  @inlinable
  package func run<R>(_ body: () async throws -> R) async throws -> R {
    if !order.isIdle(0) { try refuseNested() }
    guard let executor = order.executor else { return try await inTurn(body) }
    return try await executor.run { try await inTurn(body) }
  }

  /// Runs `body`, which changes entries, as `run` does.
  @inlinable
  package func change<R>(_ body: () async throws -> R) async throws -> R {
    try await run { try await counted(body) }
  }

  /// Runs `body`, which changes entries and calls a function of the caller, in the caller's isolation when its turn has
  /// come.
  @inlinable
  package func changeIsolated<R>(_ body: () async throws -> R) async throws -> R {
    if !order.isIdle(0) { try refuseNested() }
    guard let executor = order.executor else { return try await inTurn { try await counted(body) } }
    return try await executor.runIsolated { try await inTurn { try await counted(body) } }
  }

  /// Runs `body` in a turn, and counts it. Even if it throws: it may have changed some of many entries.
  @inlinable
  package func counted<R>(_ body: () async throws -> R) async rethrows -> R {
    defer { countChange() }
    return try await body()
  }

  @inlinable
  func inTurn<R>(_ body: () async throws -> R) async throws -> R {
    try await order.inTurn(of: .key(Whole()), body)
  }

  /// Runs `body` when its turn has come, and blocks the thread until then.
  @inlinable
  package func run<R>(_ body: () throws -> R) throws -> R {
    if !order.isIdle(0) { try refuseNested() }
    return try order.withTurn(.key(Whole()), body)
  }

  /// Runs `body`, which changes entries, as `run` does.
  @inlinable
  package func change<R>(_ body: () throws -> R) throws -> R {
    try run {
      defer { countChange() }
      return try body()
    }
  }

  /// The number of operations until now that may have changed entries.
  package var changeCount: Int { changes.load(ordering: .relaxed) }

  @inlinable
  func countChange() { changes.store(changes.load(ordering: .relaxed) &+ 1, ordering: .relaxed) }

  /// Whether callers without `await` may wait for a turn too.
  @usableFromInline package var hasBlockingCallers: Bool { order.executor != nil }

  /// Runs `body` with this thread recorded as inside the turn.
  @inlinable
  package func holding<R>(_ body: () throws -> R) rethrows -> R {
    try order.refusingWrites(of: Whole(), body)
  }

  @usableFromInline
  func refuseNested() throws {
    if ThreadTurns.current.readsOnly(in: order, overlapping: .everything) != nil { throw Self.nested }
  }

  private static let nested = StorageError.deadlock.with(
    "a call from inside an `update` of the same serial store: change the value that the closure is given, and call the store before or after"
  )
}
