import Synchronization

/// The task that runs in a turn, by which it is told whether a task waits for itself.
///
/// Only the task itself counts, not the tasks that it starts: which of those it waits for cannot be told.
struct TaskIdentity: Hashable, Sendable {
  /// Zero stands for no task.
  fileprivate let value: Int

  static let none = TaskIdentity(value: 0)

  /// The task that runs this code, or `none` on a thread without one.
  static var current: TaskIdentity {
    withUnsafeCurrentTask { TaskIdentity(value: $0?.hashValue ?? 0) }
  }
}

/// Which task runs in a turn.
struct TurnTask: ~Copyable, Sendable {
  private let identity = Atomic(0)

  var value: TaskIdentity {
    get { TaskIdentity(value: identity.load(ordering: .acquiring)) }
  }

  func set(_ task: TaskIdentity) { identity.store(task.value, ordering: .releasing) }
}

/// The turns that tasks wait for, by task: only those that have to wait are listed.
enum WaitingTasks {
  private static let turns = Locked<[TaskIdentity: AnyTurn]>([:])

  /// The turn that a task waits for, if it waits.
  static func turn(of task: TaskIdentity) -> AnyTurn? {
    task == .none ? nil : turns.withLock { $0[task] }
  }

  /// Runs `wait` with a note that the current task waits for a turn; throws what `onCircle` returns if the turn waits for this task.
  static func waiting<R>(
    for turn: AnyTurn, onCircle: () -> (any Error)?, _ wait: () async throws -> R
  ) async throws -> R {
    let task = TaskIdentity.current
    if task == .none { return try await wait() }
    let outer = turns.withLock { $0.updateValue(turn, forKey: task) }
    defer { turns.withLock { $0[task] = outer } }
    if WaitCircle.exists(from: turn, for: .task(task)), let error = onCircle() { throw error }
    return try await wait()
  }
}
