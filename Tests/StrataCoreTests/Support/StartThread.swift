import Dispatch

/// Starts a thread. Returns a semaphore that is signalled when `body` has ended.
func startThread(_ body: @escaping @Sendable () -> Void) -> DispatchSemaphore {
  let done = DispatchSemaphore(value: 0)
  DispatchQueue(label: "test").async {
    body()
    done.signal()
  }
  return done
}
