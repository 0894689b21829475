/// The task of one or several in-flight loads. It is cancelled when no caller waits for any of its unfinished loads.
final class FlightTask: Sendable {
  private struct State: Sendable {
    var task: Task<Void, Never>?
    /// The loads that have neither ended nor lost all of their callers.
    var wanted: Set<FlightID>
    var isCancelled = false
    /// The priority that a caller asked for before the task was known here.
    var priority: TaskPriority?
  }

  /// The identity of the code that runs in the task; see `FlightScope`.
  let scope: FlightID
  private let state: Locked<State>

  init(_ flights: [FlightID], scope: FlightID) {
    self.scope = scope
    state = Locked(State(wanted: Set(flights)))
  }

  /// Starts the task, on threads of an executor if one is given. It has the task-local values of this task, such as the
  /// context of a trace, but is part of no operation, and does not write under this task's lease: other callers may
  /// share the load.
  func run(on executor: (any TaskExecutor)?, _ body: @escaping @Sendable () async -> Void) {
    let task = OngoingOperation.apart {
      StorageLease.apart {
        Task(executorPreference: executor, priority: Task.currentPriority) { await body() }
      }
    }
    let (isCancelled, priority) = state.withLock { state in
      state.task = task
      return (state.isCancelled, state.priority)
    }
    if isCancelled { task.cancel() }
    if let priority { lift(to: priority) }
  }

  /// Records that a load has ended.
  func end(_ flight: FlightID) { state.withLock { _ = $0.wanted.remove(flight) } }

  /// Records that no caller waits for a load any more. Cancels the task if the same holds for all of its unfinished
  /// loads.
  func giveUp(_ flight: FlightID) {
    let task: Task<Void, Never>? = state.withLock { state in
      state.wanted.remove(flight)
      guard state.wanted.isEmpty else { return nil }
      state.isCancelled = true
      return state.task
    }
    task?.cancel()
  }

  /// Lets the task run with at least a priority.
  func lift(to priority: TaskPriority) {
    #if compiler(>=6.2)
      guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
      let task = state.withLock { state in
        state.priority = priority
        return state.task
      }
      task?.escalatePriority(to: priority)
    #endif
  }
}
