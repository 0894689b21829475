/// A thread or task that has a turn or waits for one.
///
/// A child task is a runner of its own. `OngoingOperation` and `WaitGraph` record the operations that it is part of.
@usableFromInline
package struct Runner: Hashable, Sendable {
  /// Zero means no runner. The last bit is set for a task, and not for a thread.
  @usableFromInline let value: UInt

  @inlinable
  init(value: UInt) { self.value = value }

  @inlinable
  init(_ thread: ThreadTurns) { self.init(value: UInt(bitPattern: thread.record)) }

  /// Whether it is a thread, which needs no other thread to continue.
  var isThread: Bool { value != 0 && value & 1 == 0 }

  @inlinable
  static var nobody: Runner { Runner(value: 0) }

  /// The current task, or `nobody` on a thread without one.
  @usableFromInline
  package static var currentTask: Runner {
    withUnsafeCurrentTask { $0.map { Runner(value: UInt(bitPattern: $0.hashValue) | 1) } ?? .nobody }
  }
}
