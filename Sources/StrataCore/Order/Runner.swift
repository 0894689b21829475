import Synchronization

/// A thread or a task, which has a turn or waits for one.
///
/// Of tasks only the task itself counts, not the tasks that it starts: which of those it waits for cannot be told, except for the
/// children that the library itself starts.
@usableFromInline
package struct Runner: Hashable, Sendable {
  /// Zero stands for nobody.
  private let value: UInt

  private init(_ value: UInt) { self.value = value }

  @usableFromInline
  init(_ thread: ThreadTurns) { self.init(UInt(bitPattern: ObjectIdentifier(thread))) }

  @usableFromInline static let nobody = Runner(0)

  /// The task that runs this code, or `nobody` on a thread without one.
  @usableFromInline
  static var currentTask: Runner { withUnsafeCurrentTask { Runner(UInt(bitPattern: $0?.hashValue ?? 0)) } }

  /// A runner that is replaced while others read it.
  struct Box: ~Copyable, Sendable {
    private let value: Atomic<UInt>
    init(_ runner: Runner) { value = Atomic(runner.value) }
    var current: Runner {
      get { Runner(value.load(ordering: .acquiring)) }
    }
    func set(_ runner: Runner) { value.store(runner.value, ordering: .releasing) }
  }
}
