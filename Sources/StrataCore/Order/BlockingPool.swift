#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import Dispatch

/// A pool of threads for blocking work, so that no thread of Swift's cooperative pool ever blocks.
///
/// At most `width` jobs run at a time. While a job waits for another job's turn, it does not count: the awaited job may
/// not have started yet and needs a thread. If no job ends for a tenth of a second while others are queued, the running
/// ones seem to hang, for example in a file system of a network: then more jobs run at a time. A thread ends after ten
/// seconds without work.
package final class BlockingPool: Sendable {
  private struct State {
    var jobs = FIFO<@Sendable () -> Void>()
    /// The number of threads that run a job or are about to look for one. Blocked and idle threads do not count.
    var active = 0
    var idle = 0
    /// The number of blocked threads whose places other threads may have taken.
    var lent = 0
    /// The number of jobs that may run beyond `width`, because others seem to hang.
    var extra = 0
    /// The number of jobs that have ended.
    var ended = 0
    /// Whether `check` will be called.
    var isWatched = false
  }

  private let state = Locked(State())
  private let width: Int
  private let limit: Int
  private let wakeUps = DispatchSemaphore(value: 0)

  /// Creates a pool. The default width is enough to fill a disk's queue and small enough to stay cheap. Threads are
  /// started only when there is work.
  ///
  /// - Parameter limit: how many jobs may run at a time if jobs hang.
  package init(width: Int = min(max(2 * activeProcessors, 4), 16), limit: Int = 64) {
    self.width = width
    self.limit = max(width, limit)
  }

  /// Runs a job on a thread of the pool and returns its result.
  package func run<R: Sendable>(_ job: @escaping @Sendable () throws -> R) async throws -> R {
    try await withCheckedThrowingContinuation { continuation in
      submit { continuation.resume(with: Result(catching: job)) }
    }
  }

  /// Queues a job. Jobs start in the order in which they are queued.
  package func submit(_ job: @escaping @Sendable () -> Void) {
    staff { $0.jobs.append(job) }
  }

  /// Runs `body`, which blocks. If a pool owns this thread, the pool may run another job meanwhile: `body` may wait for
  /// it.
  ///
  /// - Parameter mayNeedJob: whether that is possible. If not, no more threads take the places of blocked ones than the
  ///   pool is wide: thousands of jobs that wait for each other in a queue would start as many threads.
  package static func whileBlocked(mayNeedJob: () -> Bool = { true }, _ body: () -> Void) {
    guard let pool = ThreadTurns.current.record.pointee.pool else { return body() }
    guard pool.lend(upTo: pool.width) || mayNeedJob() && pool.lend(upTo: .max) else { return body() }
    body()
    // This job continues even if another job has taken its place. The pool exceeds its width until one of the jobs
    // ends.
    pool.state.withLock {
      $0.active += 1
      $0.lent -= 1
    }
  }

  /// Lets another thread take the place of this one, which is about to block, unless as many as `limit` already have.
  private func lend(upTo limit: Int) -> Bool {
    var isLent = false
    staff { state in
      guard state.lent < limit else { return }
      state.active -= 1
      state.lent += 1
      isLent = true
    }
    return isLent
  }

  private static let clock = DispatchQueue(label: "strata.pool")

  private enum Staffing { case enough, wake, start, watch(Int) }

  /// Changes the state, and wakes or starts a thread if a queued job may run.
  private func staff(_ change: (inout State) -> Void) {
    let staffing: Staffing = state.withLock { state in
      change(&state)
      if state.jobs.isEmpty { return .enough }
      guard state.active < width + state.extra else {
        if state.isWatched || width + state.extra >= limit { return .enough }
        state.isWatched = true
        return .watch(state.ended)
      }
      state.active += 1
      guard state.idle > 0 else { return .start }
      state.idle -= 1
      return .wake
    }
    switch staffing {
    case .enough: break
    case .wake: wakeUps.signal()
    case .start: startThread()
    case .watch(let ended):
      Self.clock.asyncAfter(deadline: .now() + .milliseconds(100)) { [weak self] in
        self?.check(since: ended)
      }
    }
  }

  /// Lets more jobs run if none has ended since this many had.
  private func check(since ended: Int) {
    // Each call starts at most one thread; the last one arranges the next check.
    for step in 0...width {
      staff { state in
        guard step == 0 else { return }
        state.isWatched = false
        if state.ended == ended, !state.jobs.isEmpty {
          state.extra = min(state.extra + width, limit - width)
        }
      }
    }
  }

  private func startThread() {
    let entry = Unmanaged.passRetained(self)
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let status = pthread_create(&thread, nil, { BlockingPool.threadMain($0) }, entry.toOpaque())
    if status == 0 { return }
    // No further thread is available: the running threads will take the job.
    entry.release()
    let stranded = state.withLock { state in
      state.active -= 1
      return state.active == 0
    }
    precondition(!stranded, "the system refuses to start a thread: error \(status)")
  }

  private static func threadMain(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    let pool = Unmanaged<BlockingPool>.fromOpaque(argument).takeRetainedValue()
    pthread_detach(pthread_self())
    let thread = ThreadTurns.current.record
    thread.pointee.pool = pool
    pool.work()
    thread.pointee.pool = nil
    return nil
  }

  private func work() {
    while true {
      while let job = nextJob() {
        job()
        state.withLock { $0.ended += 1 }
      }
      if wakeUps.wait(timeout: .now() + .seconds(10)) == .timedOut {
        let ends = state.withLock { state in
          guard state.idle > 0 else { return false }
          state.idle -= 1
          return true
        }
        if ends { return }
        // `staff` has just reserved this thread for a job, and has signalled it or is about to.
        wakeUps.wait()
      }
    }
  }

  /// Returns the next job, or marks the thread as idle and returns `nil`.
  private func nextJob() -> (@Sendable () -> Void)? {
    state.withLock { state in
      if state.active <= width + state.extra, let job = state.jobs.popFirst() { return job }
      state.active -= 1
      // While jobs hang, the next one still finds a place at once.
      state.extra = state.extra == 0 ? 0 : max(0, min(state.extra, state.active - width + 1))
      state.idle += 1
      return nil
    }
  }

  package static var activeProcessors: Int { max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1) }
}

/// Runs tasks on the threads of a `BlockingPool`, so that they need no thread of the cooperative pool: all of those may
/// be blocked by callers without `await` that wait for the tasks.
///
/// A task that has a turn needs a thread to go on after it has suspended. So where callers without `await` may wait for
/// a turn too, tasks run here while they wait for it and while they have it. Changing threads twice costs some
/// microseconds.
@usableFromInline
package final class PoolExecutor: TaskExecutor {
  /// The executor of tasks in turns.
  @usableFromInline package static let shared = PoolExecutor(pool: BlockingPool())

  private let pool: BlockingPool

  package init(pool: BlockingPool) { self.pool = pool }

  @usableFromInline
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    pool.submit { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  /// Runs `body` on a thread of the pool, outside of the caller's actor: its thread may be blocked too.
  @usableFromInline
  package func run<R>(_ body: () async throws -> R) async throws -> R {
    try await withoutActuallyEscaping(body, do: runOutside)
  }

  private func runOutside<R>(_ body: @escaping () async throws -> R) async throws -> R {
    let work = Handed(value: body)
    return try await withTaskExecutorPreference(self) { try await Self.perform(work) }.value
  }

  @concurrent
  private static func perform<R>(_ work: Handed<() async throws -> R>) async throws -> Handed<R> {
    Handed(value: try await work.value())
  }

  /// A value that passes from one executor to another.
  ///
  /// Unchecked: the caller of `run` is suspended until `body` has ended, so the captures of `body` are not used
  /// meanwhile, and `perform` does not use a result after it has returned it.
  private struct Handed<Value>: @unchecked Sendable {
    let value: Value
  }

  /// Runs `body` in the caller's isolation: on the thread of its actor, otherwise on a thread of the pool.
  @usableFromInline
  package func runIsolated<R>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> R
  ) async throws -> R {
    guard isolation != nil else { return try await run(body) }
    return try await withTaskExecutorPreference(self) {
      _ = isolation
      return try await body()
    }
  }
}
