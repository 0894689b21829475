public import StrataCore

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

  /// Returns this store with a default value. `retrieve(forKey:)` needs no `try`: it returns the default if the value
  /// is absent or expired, or if the store fails.
  ///
  /// The default is evaluated for each read that needs it, so `defaulting(to: UUID())` returns a new value each time.
  /// It is evaluated on any thread: copy a `var` or an actor's property into a `let` first. The default is never
  /// stored:
  ///
  /// | | absent or expired | the store fails |
  /// |---|---|---|
  /// | `retrieve` | the default | the default |
  /// | `object`, `objectIfPresent`, `entry`, `entries`, `update` of a `serial()` | the default | throw its error |
  /// | `objectExists`, `isExpiredObject`, `keys()`, `allObjects`, `peek` | as without a default | as without a default |
  ///
  /// A default is therefore never cached, and never written back by an `update` in place of a value that could not be
  /// read. Combinators that create another `StorageAware` from the result, such as `serial()`, read entries and throw
  /// failures.
  ///
  /// ```swift
  /// let visits = await counters.defaulting(to: 0).retrieve(forKey: "visits")
  /// try await lists.defaulting(to: []).serial().update(forKey: "first") { $0.append(10) }
  /// ```
  public func defaulting(
    to value: @autoclosure @escaping @Sendable () -> Value
  ) -> some StorageAware<Key, Value> & NonFallibleStorage<Key, Value> {
    defaulting { _ in value() }
  }

  /// Returns this store with a default that depends on the key; see `defaulting(to:)`.
  ///
  /// ```swift
  /// let users = cache.defaulting { name in User(name: name) }
  /// ```
  public func defaulting(
    with value: @escaping @Sendable (Key) -> Value
  ) -> some StorageAware<Key, Value> & NonFallibleStorage<Key, Value> {
    RecoveredStorage(base: self, recovery: .defaulting(value), storageName: "defaulting")
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

  /// Returns this store with a default value. `retrieve(forKey:)` needs no `try`: it returns the default if the value
  /// is absent or expired, or if the store fails.
  ///
  /// The default is evaluated for each read that needs it, and is never stored. See `defaulting(to:)` of
  /// `StorageAware`.
  public func defaulting(
    to value: @autoclosure @escaping @Sendable () -> Value
  ) -> some SyncStorageAware<Key, Value> & SyncNonFallibleStorage<Key, Value> {
    defaulting { _ in value() }
  }

  /// Returns this store with a default that depends on the key; see `defaulting(to:)` of `StorageAware`.
  public func defaulting(
    with value: @escaping @Sendable (Key) -> Value
  ) -> some SyncStorageAware<Key, Value> & SyncNonFallibleStorage<Key, Value> {
    RecoveredStorage(base: self, recovery: .defaulting(value), storageName: "defaulting")
  }
}

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

  /// Returns this store with a default value. `retrieve(forKey:)` needs no `try`: it returns the default if the value
  /// is absent or the store fails.
  ///
  /// The default is evaluated for each read that needs it.
  public func defaulting(
    to value: @autoclosure @escaping @Sendable () -> Value
  ) -> some NonFallibleStorage<Key, Value> {
    defaulting { _ in value() }
  }

  /// Returns this store with a default that depends on the key; see `defaulting(to:)`.
  public func defaulting(with value: @escaping @Sendable (Key) -> Value) -> some NonFallibleStorage<
    Key, Value
  > {
    RecoveredPlainStorage(base: self, recovery: .defaulting(value), storageName: "defaulting")
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

  /// Returns this store with a default value. `retrieve(forKey:)` needs no `try`: it returns the default if the value
  /// is absent or the store fails.
  ///
  /// The default is evaluated for each read that needs it. An `update` of its `serial()` starts from the default if
  /// there is no value. If the store fails, the `update` throws the error, so it never replaces a value that could not
  /// be read.
  public func defaulting(
    to value: @autoclosure @escaping @Sendable () -> Value
  ) -> some NonFallibleStorage<Key, Value> & ReadWriteStorage<Key, Value> {
    defaulting { _ in value() }
  }

  /// Returns this store with a default that depends on the key; see `defaulting(to:)`.
  public func defaulting(
    with value: @escaping @Sendable (Key) -> Value
  ) -> some NonFallibleStorage<Key, Value> & ReadWriteStorage<Key, Value> {
    RecoveredPlainStorage(base: self, recovery: .defaulting(value), storageName: "defaulting")
  }
}
