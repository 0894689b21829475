extension StorageAware {
  /// Returns this store with a default: `retrieve(forKey:)` needs no `try`, and answers absence, expiry and failures
  /// with it.
  ///
  /// The default is evaluated anew for each read that needs it, so `defaulting(to: UUID())` gives each of them its own.
  /// It runs on any thread: put a `var`, or what belongs to an actor, in a `let` first. It is read and not stored:
  ///
  /// | | absent or expired | the store fails |
  /// |---|---|---|
  /// | `retrieve` | the default | the default |
  /// | `object`, `objectIfPresent`, `entry`, `entries`, `update` of a `serial()` | the default | throw its error |
  /// | `objectExists`, `isExpiredObject`, `keys()`, `allObjects`, `peek` | as without a default | as without a default |
  ///
  /// So a default is never cached, nor written back by an `update`, in place of a value that could not be read.
  /// Combinators that make another `StorageAware` of the result, `serial()` say, read entries, and throw what failed.
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
    RecoveredStorage(base: self, recovery: DefaultValue(make: value), storageName: "defaulting")
  }
}

extension SyncStorageAware {
  /// Returns this store with a default: `retrieve(forKey:)` needs no `try`, and answers absence, expiry and failures
  /// with it.
  ///
  /// The default is evaluated anew for each read that needs it; it is read and not stored. See `defaulting(to:)` of
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
    RecoveredStorage(base: self, recovery: DefaultValue(make: value), storageName: "defaulting")
  }
}

extension ReadableStorage {
  /// Returns this store with a default: `retrieve(forKey:)` needs no `try`, and answers absence and failures with it.
  ///
  /// The default is evaluated anew for each read that needs it.
  public func defaulting(
    to value: @autoclosure @escaping @Sendable () -> Value
  ) -> some NonFallibleStorage<Key, Value> {
    defaulting { _ in value() }
  }

  /// Returns this store with a default that depends on the key; see `defaulting(to:)`.
  public func defaulting(with value: @escaping @Sendable (Key) -> Value) -> some NonFallibleStorage<
    Key, Value
  > {
    RecoveredPlainStorage(base: self, recovery: DefaultValue(make: value), storageName: "defaulting")
  }
}

extension ReadableStorage where Self: WritableStorage {
  /// Returns this store with a default: `retrieve(forKey:)` needs no `try`, and answers absence and failures with it.
  ///
  /// The default is evaluated anew for each read that needs it. An `update` of its `serial()` starts from it where
  /// nothing is stored; if the store fails, the `update` throws its error, and writes no default over a value that
  /// could not be read.
  public func defaulting(
    to value: @autoclosure @escaping @Sendable () -> Value
  ) -> some NonFallibleStorage<Key, Value> & ReadWriteStorage<Key, Value> {
    defaulting { _ in value() }
  }

  /// Returns this store with a default that depends on the key; see `defaulting(to:)`.
  public func defaulting(
    with value: @escaping @Sendable (Key) -> Value
  ) -> some NonFallibleStorage<Key, Value> & ReadWriteStorage<Key, Value> {
    RecoveredPlainStorage(base: self, recovery: DefaultValue(make: value), storageName: "defaulting")
  }
}
