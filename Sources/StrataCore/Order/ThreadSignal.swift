import Dispatch

/// A signal that wakes one waiting thread, once.
package struct ThreadSignal: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  package init() {}

  package func wake() { semaphore.signal() }

  /// Blocks the thread until it is woken. If a pool owns the thread, it may run another job meanwhile, so that the code
  /// which must wake this thread finds a thread to run on.
  ///
  /// - Parameter mayNeedJob: whether that code may be a job of the pool.
  package func wait(mayNeedJob: () -> Bool = { true }) {
    BlockingPool.whileBlocked(mayNeedJob: mayNeedJob) { semaphore.wait() }
  }
}
