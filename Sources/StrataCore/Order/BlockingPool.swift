#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import Dispatch
import Synchronization

/// Threads for work that blocks, so that no thread of Swift's cooperative pool ever has to.
///
/// At most `width` jobs run at a time. A job that blocks for the turn of another lends its place out while it does: the
/// job it waits for may be one that has not started yet, and must find a thread. Threads end after a while without
/// work.
package final class BlockingPool: Sendable {
  private struct State {
    var jobs = FIFO<@Sendable () -> Void>()
    /// Threads that run a job or are about to look for one; those that are blocked or idle do not count.
    var active = 0
    var idle = 0
  }

  private let state = Locked(State())
  private let width: Int
  private let wakeUps = DispatchSemaphore(value: 0)

  /// By default enough threads to keep a disk's queue filled and few enough to stay cheap. None is started before there
  /// is work.
  package init(width: Int = min(max(2 * activeProcessors, 4), 16)) { self.width = width }

  /// Runs a job on a thread that may block, and returns what it returns.
  package func run<R: Sendable>(_ job: @escaping @Sendable () throws -> R) async throws -> R {
    try await withCheckedThrowingContinuation { continuation in
      submit { continuation.resume(with: Result(catching: job)) }
    }
  }

  /// Starts a job, first come first served.
  package func submit(_ job: @escaping @Sendable () -> Void) {
    staff { $0.jobs.append(job) }
  }

  /// Lets the pool of this thread, if a pool owns it, run another job while `body` blocks.
  package static func whileBlocked(_ body: () -> Void) {
    guard let pool = ThreadTurns.current.pool else { return body() }
    pool.staff { $0.active -= 1 }
    body()
    // This job goes on now, even if its place has been taken: the pool is wider than its width until one ends.
    pool.state.withLock { $0.active += 1 }
  }

  private enum Staffing { case enough, wake, start }

  /// Changes the state and sees to it that a thread is there for every job that may run.
  private func staff(_ change: (inout State) -> Void) {
    let staffing: Staffing = state.withLock { state in
      change(&state)
      guard !state.jobs.isEmpty, state.active < width else { return .enough }
      state.active += 1
      guard state.idle > 0 else { return .start }
      state.idle -= 1
      return .wake
    }
    switch staffing {
    case .enough: break
    case .wake: wakeUps.signal()
    case .start: startThread()
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
    guard status == 0 else {
      // No further thread is to be had: those that run will come to the job.
      entry.release()
      let stranded = state.withLock { state in
        state.active -= 1
        return state.active == 0
      }
      precondition(!stranded, "the system refuses to start a thread: error \(status)")
      return
    }
    #if canImport(Darwin)
      if let thread { pthread_detach(thread) }
    #else
      pthread_detach(thread)
    #endif
  }

  #if canImport(Darwin)
    private typealias ThreadArgument = UnsafeMutableRawPointer
  #else
    private typealias ThreadArgument = UnsafeMutableRawPointer?
  #endif

  private static func threadMain(_ argument: ThreadArgument) -> UnsafeMutableRawPointer? {
    #if canImport(Darwin)
      let pool = Unmanaged<BlockingPool>.fromOpaque(argument).takeRetainedValue()
    #else
      guard let argument else { return nil }
      let pool = Unmanaged<BlockingPool>.fromOpaque(argument).takeRetainedValue()
    #endif
    ThreadTurns.current.pool = pool
    pool.work()
    ThreadTurns.current.pool = nil
    return nil
  }

  private func work() {
    while true {
      while let job = nextJob() { job() }
      if wakeUps.wait(timeout: .now() + .seconds(10)) == .timedOut {
        let ends = state.withLock { state in
          guard state.idle > 0 else { return false }
          state.idle -= 1
          return true
        }
        if ends { return }
        // Somebody counted on this thread just now, and has signalled or is about to.
        wakeUps.wait()
      }
    }
  }

  /// The next job; without one, the thread counts as idle.
  private func nextJob() -> (@Sendable () -> Void)? {
    state.withLock { state in
      if state.active <= width, let job = state.jobs.popFirst() { return job }
      state.active -= 1
      state.idle += 1
      return nil
    }
  }

  package static var activeProcessors: Int { max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1) }
}
