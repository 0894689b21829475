extension StorageAware {
  /// This store with reads that fail made good: `recover` gets every error, `.notFound` included, and answers or
  /// throws.
  ///
  /// The answer is read and not stored: `object`, `objectIfPresent`, `entry`, `entries` and `retrieve` see it, for an
  /// expired value too; `objectExists`, `isExpiredObject`, `keys()`, `allObjects` and `peek` speak of what is stored.
  /// Absence stays absence if `recover` throws `.notFound`. Writes and removals are not touched.
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
    RecoveredStorage(base: self, recovery: AsyncClosureRecovery(recover: recover), storageName: "recover")
  }

  /// This store with reads that cannot fail: `recover` gets every error, `.notFound` included, and answers. Read with
  /// `await retrieve(forKey:)`, without `try`.
  ///
  /// The answer is read and not stored, as with a `recover` that may throw.
  public func recover(
    with recover: @escaping @Sendable (any Error) async -> Value
  ) -> some StorageAware<Key, Value> & NonFallibleStorage<Key, Value> {
    RecoveredStorage(base: self, recovery: SafeAsyncClosureRecovery(recover: recover), storageName: "recover")
  }
}

extension SyncStorageAware {
  /// This store with reads that fail made good: `recover` gets every error, `.notFound` included, and answers or
  /// throws.
  ///
  /// The answer is read and not stored: see `recover(with:)` of `StorageAware`.
  public func recover(
    with recover: @escaping @Sendable (any Error) throws -> Value
  ) -> some SyncStorageAware<Key, Value> {
    RecoveredStorage(base: self, recovery: ClosureRecovery(recover: recover), storageName: "recover")
  }

  /// This store with reads that cannot fail: `recover` gets every error, `.notFound` included, and answers. Read with
  /// `retrieve(forKey:)`, without `try`.
  ///
  /// The answer is read and not stored: see `recover(with:)` of `StorageAware`.
  public func recover(
    with recover: @escaping @Sendable (any Error) -> Value
  ) -> some SyncStorageAware<Key, Value> & SyncNonFallibleStorage<Key, Value> {
    RecoveredStorage(base: self, recovery: SafeClosureRecovery(recover: recover), storageName: "recover")
  }
}
