import Dispatch

/// A value that one thread puts and another waits for.
package final class SignalBox<Value: Sendable>: Sendable {
  private let value = Locked<Value?>(nil)
  private let semaphore = DispatchSemaphore(value: 0)

  package init() {}

  package func put(_ value: Value) {
    self.value.withLock { $0 = value }
    semaphore.signal()
  }

  /// Blocks the thread until the value is put. If a pool owns the thread, it may run another job meanwhile, so that the
  /// code which must put the value finds a thread to run on.
  ///
  /// - Parameter mayNeedJob: whether that code may be a job of the pool.
  package func take(mayNeedJob: () -> Bool = { true }) -> Value {
    BlockingPool.whileBlocked(mayNeedJob: mayNeedJob) { semaphore.wait() }
    guard let value = value.withLock({ $0 }) else { preconditionFailure("woken without a value") }
    return value
  }
}
