import Synchronization

/// The task that runs in a turn, by which it is told whether a task waits for itself.
///
/// Only the task itself counts, not the tasks that it starts: which of those it waits for cannot be told, but for the
/// children that the library itself starts.
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
  private struct State {
    var turns: [TaskIdentity: AnyTurn] = [:]
    /// The tasks that wait for a child of theirs, by child, and the children, by task.
    var parents: [TaskIdentity: TaskIdentity] = [:]
    var children: [TaskIdentity: Set<TaskIdentity>] = [:]

    func turns(of task: TaskIdentity) -> [AnyTurn] {
      let own = turns[task].map { [$0] } ?? []
      guard let children = children[task] else { return own }
      return children.reduce(into: own) { $0 += turns(of: $1) }
    }

    /// A task, and the tasks that wait for it as their child.
    func lineage(of task: TaskIdentity) -> [TaskIdentity] { Array(sequence(first: task) { parents[$0] }) }
  }

  private static let state = Locked(State())

  /// The turns that a task waits for: its own, and those of children that it waits for.
  static func turns(of task: TaskIdentity) -> [AnyTurn] {
    task == .none ? [] : state.withLock { $0.turns(of: task) }
  }

  /// Runs `wait` with a note that the current task waits for a turn; throws `circle` if the turn waits for this task and is given up.
  static func waiting<R>(
    for turn: AnyTurn, giveUp: () -> Bool, circle: @autoclosure () -> any Error, _ wait: () async throws -> R
  ) async throws -> R {
    let task = TaskIdentity.current
    if task == .none { return try await wait() }
    let (outer, lineage) = state.withLock { state in
      (state.turns.updateValue(turn, forKey: task), state.lineage(of: task))
    }
    func forget() { state.withLock { $0.turns[task] = outer } }
    if WaitCircle.isBroken(from: turn, for: .tasks(lineage), giveUp: giveUp, forget: forget) {
      throw circle()
    }
    defer { forget() }
    return try await wait()
  }

  /// Runs `body` with a note that `parent` waits for the current task, a child of it.
  static func inChild<R>(of parent: TaskIdentity, _ body: () async throws -> R) async rethrows -> R {
    let child = TaskIdentity.current
    state.withLock { state in
      state.parents[child] = parent
      state.children[parent, default: []].insert(child)
    }
    defer {
      state.withLock { state in
        state.parents[child] = nil
        state.children[parent]?.remove(child)
        if state.children[parent]?.isEmpty == true { state.children[parent] = nil }
      }
    }
    return try await body()
  }
}
