import Dispatch

/// Runs a task's steps on a queue of its own, which a test can stop between two steps.
package final class StepExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "steps")

  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  /// Starts a task, and returns when it has first suspended or ended.
  package func start<R: Sendable>(_ body: @escaping @Sendable () async throws -> R) async -> Task<
    R, any Error
  > {
    let task = Task(executorPreference: self) { try await body() }
    await settle()
    return task
  }

  /// Returns when all steps that were ready before the call have run.
  package func settle() async { await withCheckedContinuation { done in queue.async { done.resume() } } }

  /// Holds all further steps until `resume`.
  package func stop() { queue.suspend() }
  package func resume() { queue.resume() }
}
