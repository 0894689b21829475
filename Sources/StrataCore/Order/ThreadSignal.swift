import Dispatch

/// Wakes one waiting thread, once.
struct ThreadSignal: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func wake() { semaphore.signal() }

  /// Blocks the thread until it is woken. A pool that owns the thread runs another in its place meanwhile, so that
  /// whoever is to wake this one finds a thread to run on.
  func wait() { BlockingPool.whileBlocked { semaphore.wait() } }
}
