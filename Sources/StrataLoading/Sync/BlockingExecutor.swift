import StrataCore

/// Runs tasks on separate threads. A blocked thread can therefore wait for them even if all threads of the cooperative
/// pool are blocked.
final class BlockingExecutor: TaskExecutor {
  private let pool = BlockingPool(width: 64)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    pool.submit { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  /// Runs an asynchronous function, and blocks this thread until it has returned.
  ///
  /// Throws `.deadlock` inside an operation of a store on this thread: the function might wait for that operation.
  func block<Key: Hashable & Sendable, R: Sendable>(
    _ key: Key.Type, _ body: @escaping @Sendable () async throws -> R
  ) throws -> R {
    if KeyOrder<Key>.isThreadInTurn {
      throw StorageError.deadlock.with(
        "a load from inside an operation of a store may wait for that operation: load before or after the operation"
      )
    }
    let box = SignalBox<Result<R, any Error>>()
    Task(executorPreference: self) { box.put(await Result(of: body)) }
    return try box.take().get()
  }
}
