import StrataCore

extension PoolExecutor {
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
