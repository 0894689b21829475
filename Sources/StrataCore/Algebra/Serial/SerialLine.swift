/// One line for everything: whoever is first has its turn, the others wait, first come first served.
///
/// It is a `KeyOrder` of one key. Threads and tasks stand in the same line, a thread by blocking, a task by suspending.
///
/// A call from inside an `update` in this line, which could only wait for itself, throws `.deadlock`.
@usableFromInline
package final class SerialLine: Sendable {
  /// The one key.
  @usableFromInline
  struct Whole: Hashable, Sendable {
    @inlinable
    init() {}
  }

  @usableFromInline let order: KeyOrder<Whole>
  @usableFromInline let hash = Whole().hashValue

  package init(tasksMayWait: Bool = true) { order = KeyOrder(shards: 1, tasksMayWait: tasksMayWait) }

  /// Runs `body` when its turn has come; suspends the task until then. Throws `CancellationError` if the task is
  /// cancelled while it waits; once `body` has started it is left alone.
  @inlinable
  package func run<R>(_ body: () async throws -> R) async throws -> R {
    if order.isTaken(Whole(), hash) { try refuseNested() }
    return try await order.inTurn(of: Whole(), hash, body)
  }

  /// Runs `body` when its turn has come; blocks the thread until then.
  @inlinable
  package func runBlocking<R>(_ body: () throws -> R) throws -> R {
    if order.isTaken(Whole(), hash) { try refuseNested() }
    return try order.withTurn(.key(Whole()), body)
  }

  /// Marks this thread as the one that runs `body` in the turn.
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
