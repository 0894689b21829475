import Dispatch

/// Wakes one waiting thread, once.
package struct ThreadSignal: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  package init() {}

  package func wake() { semaphore.signal() }

  /// Blocks the thread until it is woken. A pool that owns the thread runs another in its place meanwhile, so that
  /// whoever is to wake this one finds a thread to run on.
  package func wait() { BlockingPool.whileBlocked { semaphore.wait() } }
}
