/// One first-in, first-out queue for all operations.
///
/// It is a `KeyOrder` of one key. Threads and tasks wait in the same queue: a thread blocks, a task suspends.
///
/// A call from inside an `update` of the same queue would wait for itself, so it throws `.deadlock`.
@usableFromInline
package final class SerialLine: Sendable {
  /// The single key.
  @usableFromInline
  struct Whole: Hashable, Sendable {
    @inlinable
    init() {}
  }

  @usableFromInline let order: KeyOrder<Whole>
  @usableFromInline let hash = Whole().hashValue

  package init(tasksMayWait: Bool = true) { order = KeyOrder(shards: 1, tasksMayWait: tasksMayWait) }

  /// Runs `body` when its turn has come, and suspends the task until then. Throws `CancellationError` if the task is
  /// cancelled while it waits. Once `body` has started, the turn is not cancelled.
  @inlinable
  package func run<R>(_ body: () async throws -> R) async throws -> R {
    if order.isTaken(Whole(), hash) { try refuseNested() }
    return try await order.inTurn(of: Whole(), hash, body)
  }

  /// Runs `body` when its turn has come, and blocks the thread until then.
  @inlinable
  package func run<R>(_ body: () throws -> R) throws -> R {
    if order.isTaken(Whole(), hash) { try refuseNested() }
    return try order.withTurn(.key(Whole()), body)
  }

  /// Runs `body` with this thread recorded as inside the turn.
  @inlinable
  func holding<R>(_ body: () throws -> R) rethrows -> R { try order.refusingWrites(of: Whole(), body) }

  @usableFromInline
  func refuseNested() throws {
    if ThreadTurns.current.readsOnly(in: order, overlapping: .everything) != nil { throw Self.nested }
  }

  private static let nested = StorageError.deadlock.with(
    "a call from inside an `update` of the same serial store: change the value that the closure is given, and call the store before or after"
  )
}
