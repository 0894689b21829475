extension ReadableStorage {
  /// Returns this store with recovery from failed reads. `recover` gets every error, including `.notFound`, and returns
  /// a value or throws.
  public func recover(
    with recover: @escaping @Sendable (any Error) async throws -> Value
  ) -> some ReadableStorage<Key, Value> {
    RecoveredPlainStorage(base: self, recovery: AsyncClosureRecovery(recover: recover))
  }

  /// Returns this store with reads that never fail. `recover` gets every error, including `.notFound`, and returns a
  /// value.
  public func recover(
    with recover: @escaping @Sendable (any Error) async -> Value
  ) -> some NonFallibleStorage<Key, Value> {
    RecoveredPlainStorage(base: self, recovery: AsyncClosureRecovery(recover: recover))
  }
}

extension ReadableStorage where Self: WritableStorage {
  /// Returns this store with recovery from failed reads. `recover` gets every error, including `.notFound`, and returns
  /// a value or throws.
  public func recover(
    with recover: @escaping @Sendable (any Error) async throws -> Value
  ) -> some ReadWriteStorage<Key, Value> {
    RecoveredPlainStorage(base: self, recovery: AsyncClosureRecovery(recover: recover))
  }

  /// Returns this store with reads that never fail. `recover` gets every error, including `.notFound`, and returns a
  /// value.
  public func recover(
    with recover: @escaping @Sendable (any Error) async -> Value
  ) -> some NonFallibleStorage<Key, Value> & ReadWriteStorage<Key, Value> {
    RecoveredPlainStorage(base: self, recovery: AsyncClosureRecovery(recover: recover))
  }
}
