extension ReadableStorage {
  /// This store with reads that fail made good: `recover` gets every error, `.notFound` included, and answers or
  /// throws.
  public func recover(
    with recover: @escaping @Sendable (any Error) async throws -> Value
  ) -> some ReadableStorage<Key, Value> {
    RecoveredPlainStorage(
      base: self, recovery: AsyncClosureRecovery(recover: recover), storageName: "recover")
  }

  /// This store with reads that cannot fail: `recover` gets every error, `.notFound` included, and answers.
  public func recover(
    with recover: @escaping @Sendable (any Error) async -> Value
  ) -> some NonFallibleStorage<Key, Value> {
    RecoveredPlainStorage(
      base: self, recovery: SafeAsyncClosureRecovery(recover: recover), storageName: "recover")
  }
}

extension ReadableStorage where Self: WritableStorage {
  /// This store with reads that fail made good: `recover` gets every error, `.notFound` included, and answers or
  /// throws.
  public func recover(
    with recover: @escaping @Sendable (any Error) async throws -> Value
  ) -> some ReadWriteStorage<Key, Value> {
    RecoveredPlainStorage(
      base: self, recovery: AsyncClosureRecovery(recover: recover), storageName: "recover")
  }

  /// This store with reads that cannot fail: `recover` gets every error, `.notFound` included, and answers.
  public func recover(
    with recover: @escaping @Sendable (any Error) async -> Value
  ) -> some NonFallibleStorage<Key, Value> & ReadWriteStorage<Key, Value> {
    RecoveredPlainStorage(
      base: self, recovery: SafeAsyncClosureRecovery(recover: recover), storageName: "recover")
  }
}
