#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The turns that a thread has, and the one it waits for.
///
/// Unchecked: `held` and `isPoolWorker` are only touched by the thread itself; `waiting` is read by others and locked.
@usableFromInline
final class ThreadTurns: @unchecked Sendable {
  /// The turns in which the thread runs, outermost first.
  @usableFromInline var held: [AnyTurn] = []
  /// The turn the thread is blocked for although it has others.
  let waiting = Locked<AnyTurn?>(nil)
  /// The pool that owns the thread, if one does.
  var pool: BlockingPool?

  /// The record of this thread.
  @usableFromInline
  static var current: ThreadTurns {
    if let known = pthread_getspecific(slot) {
      return Unmanaged<ThreadTurns>.fromOpaque(known).takeUnretainedValue()
    }
    let new = ThreadTurns()
    pthread_setspecific(slot, Unmanaged.passRetained(new).toOpaque())
    return new
  }

  private static let slot: pthread_key_t = {
    var key = pthread_key_t()
    // Called at a thread's end with what `current` retained.
    let status = pthread_key_create(&key) { record in
      #if canImport(Darwin)
        Unmanaged<ThreadTurns>.fromOpaque(record).release()
      #else
        if let record { Unmanaged<ThreadTurns>.fromOpaque(record).release() }
      #endif
    }
    precondition(status == 0, "the process has no thread-specific slot left")
    return key
  }()

  @inlinable
  func hold<R>(_ turn: AnyTurn, _ body: () throws -> R) rethrows -> R {
    held.append(turn)
    turn.runner.withLock { $0 = self }
    defer {
      turn.runner.withLock { $0 = nil }
      held.removeLast()
    }
    return try body()
  }

  @inlinable
  func turn<Key>(in order: KeyOrder<Key>, overlapping scope: TurnScope<Key>) -> Turn<Key>? {
    for case let turn as Turn<Key> in held where turn.order === order && turn.scope.overlaps(scope) {
      return turn
    }
    return nil
  }
}
