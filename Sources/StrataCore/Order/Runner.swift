/// A thread or a task, which has a turn or waits for one.
///
/// Of tasks only the task itself counts. Which other tasks it is part of, `OngoingOperation` and `WaitGraph` know.
@usableFromInline
package struct Runner: Hashable, Sendable {
  /// Zero stands for nobody.
  @usableFromInline let value: UInt

  @inlinable
  init(value: UInt) { self.value = value }

  @inlinable
  init(_ thread: ThreadTurns) { self.init(value: UInt(bitPattern: thread.record)) }

  @inlinable
  static var nobody: Runner { Runner(value: 0) }

  /// The task that runs this code, or `nobody` on a thread without one.
  @usableFromInline
  static var currentTask: Runner {
    withUnsafeCurrentTask { Runner(value: UInt(bitPattern: $0?.hashValue ?? 0)) }
  }
}
