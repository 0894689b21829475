import StrataCore

extension AsyncStorage {
  typealias Operation<Result: Sendable> = ChainOperation<Key, Value, Result>
  typealias Completion<R> = @Sendable (Result<R, any Error>) -> Void

  private var order: KeyOrder<Key> { chain.coordinator.order }

  /// Runs an operation in its turn; suspends until it is done.
  func run<R: Sendable>(_ operation: Operation<R>) async throws -> R {
    switch typed {
    case .async(let typed):
      defer { chain.coordinator.deliver() }
      guard let scope = operation.scope else { return try await operation.async(typed) }
      return try await order.withTurn(scope) { try await operation.async(typed) }
    case .sync(let typed):
      if let result = try inPlace(operation, on: typed) { return result }
      return try await handOver(operation, to: typed)
    }
  }

  /// Runs an operation on another thread; suspends until it is done. An operation that may block runs on a thread of
  /// the pool. An operation that never blocks runs on the thread that ends the preceding turn, since changing threads
  /// would cost more than the operation.
  private func handOver<R: Sendable>(
    _ operation: Operation<R>, to typed: TypeWrapperStorage<ObservedStorage<Key>, Value>
  ) async throws -> R {
    let wait = TaskWait(in: order)
    defer { wait.end() }
    return try await cancelling {
      try await withCheckedThrowingContinuation { continuation in
        let turn = operation.scope.map { order.turn(of: $0) }
        if let turn {
          if isBrief, order.hasCome(turn) {
            defer { chain.coordinator.deliver() }
            return continuation.resume(with: perform(operation, on: typed, in: turn))
          }
          do { try wait.begin(for: turn) } catch { return continuation.resume(throwing: error) }
        }
        submit(operation, on: typed, in: turn, isBrief: isBrief && !operation.callsUser) {
          continuation.resume(with: $0)
        }
      }
    } onCancel: {
      wait.cancel()
    }
  }

  /// Runs an operation in its turn. It enters the queue before this returns, so calls made one after the other run in
  /// this order.
  func run<R: Sendable>(_ operation: Operation<R>, then completion: @escaping Completion<R>) {
    let turn = operation.scope.map { order.turn(of: $0) }
    let pool = chain.coordinator.pool
    switch typed {
    case .sync(let typed):
      submit(operation, on: typed, in: turn) { result in BlockingPool.whileBlocked { completion(result) } }
    case .async(let typed):
      Task {
        let result = await Result(of: { try await run(operation, on: typed, in: turn) })
        pool.submit { BlockingPool.whileBlocked { completion(result) } }
      }
    }
  }

  private func run<R>(
    _ operation: Operation<R>, on typed: TypeWrapperStorage<AsyncObservedStorage<Key>, Value>,
    in turn: Turn<Key>?
  ) async throws -> R {
    if let turn { try await order.wait(for: turn) }
    defer {
      if let turn { order.leave(turn) }
      chain.coordinator.deliver()
    }
    return try await OngoingOperation.run { try await operation.async(typed) }
  }

  /// Runs an operation in its turn, on a thread that may block.
  ///
  /// It needs no thread of the cooperative pool, neither to start nor to end: callers of `Storage` that wait for this
  /// operation could block all of them.
  private func submit<R: Sendable>(
    _ operation: Operation<R>, on typed: TypeWrapperStorage<ObservedStorage<Key>, Value>, in turn: Turn<Key>?,
    isBrief: Bool = false, then completion: @escaping Completion<R>
  ) {
    let lease = StorageLease.current
    let (coordinator, pool) = (chain.coordinator, chain.coordinator.pool)
    let isInside = OngoingOperation.isOngoing
    let run: @Sendable (Result<Void, any Error>) -> Void = { ready in
      completion(
        ready.flatMap {
          StorageLease.within(lease) {
            defer { coordinator.deliver(isInside: isInside) }
            return self.perform(operation, on: typed, in: turn)
          }
        })
    }
    // A closure of the user sees the caller's task-local values. Other operations do without: a task costs more than a
    // read of a disk.
    let job = operation.callsUser ? CarriedJob(run).run : run
    guard let turn else { return pool.submit { job(.success(())) } }
    order.whenReady(turn) { ready in
      guard case .success = ready else { return job(ready) }
      if !isBrief || !Relay.run({ job(ready) }) { pool.submit { job(ready) } }
    }
  }

  /// Returns the result of an operation that need not wait, neither for a turn nor in the chain, or `nil` if it must.
  ///
  /// In a chain that may block it calls no observers: a read changes nothing, and the operations that made changes call
  /// the observers, on threads that may block.
  private func inPlace<R: Sendable>(
    _ operation: Operation<R>, on typed: TypeWrapperStorage<ObservedStorage<Key>, Value>
  ) throws -> R? {
    if isBrief {
      defer { chain.coordinator.deliver() }
      guard let scope = operation.scope else { return try operation.sync(typed) }
      guard case .key(let key) = scope else { return nil }
      return try order.ifFree(key) { try operation.sync(typed) }
    }
    guard let cached = operation.cached, case .key(let key)? = operation.scope else { return nil }
    do { return try order.ifFree(key, reads: true) { try cached(typed) } } catch {
      // The result is unknown, or the lookup failed. The operation itself then throws the error.
      return nil
    }
  }

  /// Runs an operation in its turn, and ends the turn. The caller delivers the changes.
  private func perform<R: Sendable>(
    _ operation: Operation<R>, on typed: TypeWrapperStorage<ObservedStorage<Key>, Value>, in turn: Turn<Key>?
  ) -> Result<R, any Error> {
    defer { if let turn { order.leave(turn) } }
    return Result {
      guard let turn else { return try operation.sync(typed) }
      return try order.running(turn) { try operation.sync(typed) }
    }
  }

  /// Runs `body` in a turn of a key, where the chain suspends.
  func inTurn<R: Sendable>(of key: Key, _ body: () async throws -> R) async throws -> R {
    defer { chain.coordinator.deliver() }
    return try await order.withTurn(.key(key), body)
  }
}
