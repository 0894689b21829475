/// A thread or task that has a turn or waits for one.
///
/// A child task is a runner of its own. `OngoingOperation` and `WaitGraph` record the operations that it is part of.
@usableFromInline
package struct Runner: Hashable, Sendable {
  /// Zero means no runner.
  @usableFromInline let value: UInt

  @inlinable
  init(value: UInt) { self.value = value }

  @inlinable
  init(_ thread: ThreadTurns) { self.init(value: UInt(bitPattern: thread.record)) }

  @inlinable
  static var nobody: Runner { Runner(value: 0) }

  /// The current task, or `nobody` on a thread without one.
  @usableFromInline
  static var currentTask: Runner {
    withUnsafeCurrentTask { Runner(value: UInt(bitPattern: $0?.hashValue ?? 0)) }
  }
}
