/// A job for a thread without a task, with the task-local values of the task that creates it.
///
/// Only a task can carry task-local values, so the job is a task of its own. Its executor, this object, does not start
/// it, but keeps it until `run`. That must follow, since a task that never runs is never released.
package final class CarriedJob<Input: Sendable>: TaskExecutor {
  private struct State: Sendable {
    var job: UnownedJob?
    var input: Input?
  }

  private let state = Locked(State())

  package init(_ body: @escaping @Sendable (Input) -> Void) {
    Task(executorPreference: self) { [self] in
      guard let input = state.withLock({ $0.input }) else {
        preconditionFailure("a job starts without its input")
      }
      body(input)
    }
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.job = job }
  }

  /// Runs the job on this thread.
  package func run(_ input: Input) {
    let job = state.withLock { state in
      state.input = input
      defer { state.job = nil }
      return state.job
    }
    job?.runSynchronously(on: asUnownedTaskExecutor())
  }
}
