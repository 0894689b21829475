extension StorageAware {
  /// Returns this store with recovery from failed reads. `recover` gets every error, including `.notFound`, and returns
  /// a value or throws.
  ///
  /// The value is never stored. `object`, `objectIfPresent`, `entry`, `entries` and `retrieve` return it, also in place
  /// of an expired value. `objectExists`, `isExpiredObject`, `keys()`, `allObjects` and `peek` only see stored values.
  /// If `recover` throws `.notFound`, the value stays absent. Writes and removals are not affected.
  ///
  /// ```swift
  /// let avatars = disk.recover { error in
  ///   if case StorageError.notFound = error { return placeholder }
  ///   throw error
  /// }
  /// ```
  public func recover(
    with recover: @escaping @Sendable (any Error) async throws -> Value
  ) -> some StorageAware<Key, Value> {
    RecoveredStorage(base: self, recovery: AsyncClosureRecovery(recover: recover))
  }

  /// Returns this store with reads that never fail. `recover` gets every error, including `.notFound`, and returns a
  /// value. Read with `await retrieve(forKey:)`, without `try`.
  ///
  /// The value is never stored, as with a `recover` that may throw.
  public func recover(
    with recover: @escaping @Sendable (any Error) async -> Value
  ) -> some StorageAware<Key, Value> & NonFallibleStorage<Key, Value> {
    RecoveredStorage(base: self, recovery: AsyncClosureRecovery(recover: recover))
  }
}

extension SyncStorageAware {
  /// Returns this store with recovery from failed reads. `recover` gets every error, including `.notFound`, and returns
  /// a value or throws.
  ///
  /// The value is never stored: see `recover(with:)` of `StorageAware`.
  public func recover(
    with recover: @escaping @Sendable (any Error) throws -> Value
  ) -> some SyncStorageAware<Key, Value> {
    RecoveredStorage(base: self, recovery: ClosureRecovery { error, _ in try recover(error) })
  }

  /// Returns this store with reads that never fail. `recover` gets every error, including `.notFound`, and returns a
  /// value. Read with `retrieve(forKey:)`, without `try`.
  ///
  /// The value is never stored: see `recover(with:)` of `StorageAware`.
  public func recover(
    with recover: @escaping @Sendable (any Error) -> Value
  ) -> some SyncStorageAware<Key, Value> & SyncNonFallibleStorage<Key, Value> {
    RecoveredStorage(base: self, recovery: ClosureRecovery { error, _ in recover(error) })
  }
}
