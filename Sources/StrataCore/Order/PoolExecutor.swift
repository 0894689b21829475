/// Runs tasks on the threads of a `BlockingPool`, so that they need no thread of the cooperative pool: all of those may
/// be blocked by callers without `await` that wait for the tasks.
///
/// A task that has a turn needs a thread to go on after it has suspended. So where callers without `await` may wait for
/// a turn too, tasks run here while they wait for it and while they have it. Changing threads twice costs some
/// microseconds.
@usableFromInline
package final class PoolExecutor: TaskExecutor {
  /// The executor of tasks in turns.
  @usableFromInline static let shared = PoolExecutor(pool: BlockingPool())

  private let pool: BlockingPool

  package init(pool: BlockingPool) { self.pool = pool }

  @usableFromInline
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    pool.submit { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  /// Runs `body` on a thread of the pool, outside of the caller's actor: its thread may be blocked too.
  @usableFromInline
  func run<R>(_ body: () async throws -> R) async throws -> R {
    try await withoutActuallyEscaping(body, do: runOutside)
  }

  private func runOutside<R>(_ body: @escaping () async throws -> R) async throws -> R {
    let work = Work(body: body)
    return try await withTaskExecutorPreference(self) { try await Self.perform(work) }.value
  }

  /// Runs `body` in the caller's isolation: on the thread of its actor, otherwise on a thread of the pool.
  @usableFromInline
  func runIsolated<R>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> R
  ) async throws -> R {
    guard isolation != nil else { return try await run(body) }
    return try await withTaskExecutorPreference(self) {
      _ = isolation
      return try await body()
    }
  }

  @concurrent
  private static func perform<R>(_ work: Work<R>) async throws -> Outcome<R> {
    Outcome(value: try await work.body())
  }

  /// Unchecked: the caller of `run` is suspended until `body` has ended, so what `body` captures is not used meanwhile.
  private struct Work<R>: @unchecked Sendable {
    let body: () async throws -> R
  }

  /// Unchecked: `perform` does not use the value after it has returned it.
  private struct Outcome<R>: @unchecked Sendable {
    let value: R
  }
}
