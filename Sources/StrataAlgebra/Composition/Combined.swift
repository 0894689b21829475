public import StrataCore

extension StorageAware {
  /// Returns this store in front of another: reads look in the front, then in the back; writes go to both.
  ///
  /// There are three ways to put a store in front of another:
  ///
  /// | | reads | values found in the back | writes | removals |
  /// |---|---|---|---|---|
  /// | `front.combined(with: back)` | front, then back | copied to the front | back, then front | back, then front |
  /// | `front.backed(by: back)` | front, then back | copied to the front, if it can be written | front | front |
  /// | `front.pushing(to: back)` | front | | back, then front | back, then front |
  ///
  /// - Only an absent entry leads from the front to the back. If the front or the back fails, its error is thrown.
  /// - A copy in the front expires as in the back, or by the front's own expiry if that is earlier. It never replaces a
  ///   newer write or a removal. Concurrent misses on one key share a single read of the back; cancelling one of the
  ///   callers does not cancel the others.
  /// - If a write fails, the front drops the key, so that the next read returns the back's value. A front that is no
  ///   `StorageAware` cannot remove the key and keeps its value.
  /// - With `backed(by:)` and `pushing(to:)` the front is authoritative: a refused change is not made in the front.
  ///   Once the back has made a write, the write is finished even if its task is cancelled.
  /// - An `update` keeps the expiry of each tier.
  /// - A value of the back of `backed(by:)` cannot be removed through the result: it becomes visible again. `keys()`
  ///   lists both tiers, for `pushing(to:)` only the front.
  /// - The result is synchronous if both stores are, and `StorageAware` if both are. For `backed(by:)`, `StorageAware`
  ///   depends on the front only. If keys are not `Hashable`, for example `Void`, misses of all keys wait in one queue.
  /// - It may be used with and without `await` at the same time. If a store is a `Storage`, a `serial()` store, or
  ///   encrypted, calls with `await` then run on threads of their own, which takes some microseconds.
  ///
  /// ```swift
  /// let cities = MemoryStorage<String, City>().combined(with: disk.transform(to: City.self))
  /// ```
  @inlinable
  public func combined<Back: StorageAware>(with back: Back) -> some StorageAware<Key, Value>
  where Back.Key == Key, Back.Value == Value {
    CombinedStorage(front: self, back: back)
  }

  /// Returns this store in front of a store that can only be read and written; see `combined(with:)` of a
  /// `StorageAware` back.
  public func combined<Back: ReadableStorage & WritableStorage>(
    with back: Back
  ) -> some ReadWriteStorage<Key, Value>
  where Back.Key == Key, Back.Value == Value {
    CombinedStorage(front: self, back: PlainTier(back))
  }

  /// Returns this store in front of a store that is only read. Values found in the back are copied to the front;
  /// nothing is ever written to the back.
  ///
  /// `keys()` lists both tiers. A value of the back cannot be removed through this store: removing it from the front
  /// makes the back's value visible again. For all other rules see `combined(with:)`.
  ///
  /// ```swift
  /// let texts = MemoryStorage<String, String>().backed(by: bundledTexts)
  /// ```
  public func backed<Back: StorageAware>(by back: Back) -> some StorageAware<Key, Value>
  where Back.Key == Key, Back.Value == Value {
    CombinedStorage(front: self, back: UnwrittenTier(base: back), storageName: "backed")
  }

  /// Returns this store in front of a store that can only be read. Values found in the back are copied to the front.
  ///
  /// The back cannot list its keys, so `keys()` lists the keys of the front only. For all other rules see
  /// `combined(with:)`.
  public func backed<Back: ReadableStorage>(by back: Back) -> some StorageAware<Key, Value>
  where Back.Key == Key, Back.Value == Value {
    CombinedStorage(front: self, back: UnwrittenTier(base: PlainTier(reading: back)), storageName: "backed")
  }

  /// Returns this store with every change also made in another store, for example a mirror or a log of changes.
  ///
  /// Only this store is read: `keys()` and cached entries are its own. A change goes to the other store first; if that
  /// store refuses it, this store does not change. See the table at `combined(with:)`.
  ///
  /// ```swift
  /// let settings = disk.pushing(to: backup)
  /// ```
  public func pushing<Back: StorageAware>(to back: Back) -> some StorageAware<Key, Value>
  where Back.Key == Key, Back.Value == Value {
    PushingStorage(front: self, back: back)
  }
}

extension SyncStorageAware {
  /// Returns this store in front of another: reads look in the front, then in the back; writes go to both.
  ///
  /// Values found in the back are copied to the front. For all other rules see `combined(with:)` of `StorageAware`.
  @inlinable
  public func combined<Back: SyncStorageAware>(with back: Back) -> some SyncStorageAware<Key, Value>
  where Back.Key == Key, Back.Value == Value {
    CombinedStorage(front: self, back: back)
  }

  /// Returns this store in front of a store that is only read. Values found in the back are copied to the front;
  /// nothing is ever written to the back.
  ///
  /// `keys()` lists both tiers. A value of the back cannot be removed through this store: removing it from the front
  /// makes the back's value visible again. For all other rules see `combined(with:)`.
  public func backed<Back: SyncStorageAware>(by back: Back) -> some SyncStorageAware<Key, Value>
  where Back.Key == Key, Back.Value == Value {
    CombinedStorage(front: self, back: UnwrittenTier(base: back), storageName: "backed")
  }

  /// Returns this store with every change also made in another store.
  ///
  /// Only this store is read. A change goes to the other store first; if that store refuses it, this store does not
  /// change. See the table at `combined(with:)`.
  public func pushing<Back: SyncStorageAware>(to back: Back) -> some SyncStorageAware<Key, Value>
  where Back.Key == Key, Back.Value == Value {
    PushingStorage(front: self, back: back)
  }
}

extension ReadableStorage where Self: WritableStorage, Key: Hashable {
  /// Returns this store in front of another: reads look in the front, then in the back; writes go to both.
  ///
  /// Values found in the back are copied to the front unless they expire, since this store would keep them for ever.
  /// For all other rules see `combined(with:)` of `StorageAware`.
  public func combined<Back: StorageAware>(
    with back: Back
  ) -> some ReadWriteStorage<Key, Value>
  where Back.Key == Key, Back.Value == Value {
    CombinedStorage(front: PlainTier(self, clock: back.clock), back: back)
  }

  /// Returns this store in front of another: reads look in the front, then in the back; writes go to both.
  ///
  /// Values found in the back are copied to the front. For all other rules see `combined(with:)` of `StorageAware`.
  public func combined<Back: ReadableStorage & WritableStorage>(
    with back: Back
  ) -> some ReadWriteStorage<Key, Value>
  where Back.Key == Key, Back.Value == Value {
    CombinedStorage(front: PlainTier(self), back: PlainTier(back))
  }

  /// Returns this store in front of a store that is only read. Values found in the back are copied to the front;
  /// nothing is ever written to the back.
  ///
  /// For all other rules see `combined(with:)`.
  public func backed<Back: ReadableStorage>(
    by back: Back
  ) -> some ReadWriteStorage<Key, Value>
  where Back.Key == Key, Back.Value == Value {
    CombinedStorage(
      front: PlainTier(self), back: UnwrittenTier(base: PlainTier(reading: back)), storageName: "backed")
  }

  /// Returns this store in front of a store that is only read. Values found in the back are copied to the front unless
  /// they expire, since this store would keep them for ever. Nothing is ever written to the back.
  ///
  /// For all other rules see `combined(with:)`.
  public func backed<Back: StorageAware>(
    by back: Back
  ) -> some ReadWriteStorage<Key, Value>
  where Back.Key == Key, Back.Value == Value {
    CombinedStorage(
      front: PlainTier(self, clock: back.clock), back: UnwrittenTier(base: back), storageName: "backed")
  }
}

extension ReadableStorage where Self: WritableStorage {
  /// Returns this store in front of another: reads look in the front, then in the back; writes go to both.
  ///
  /// Values found in the back are copied to the front. Keys cannot be compared, so misses and writes of all keys wait
  /// in one queue. For all other rules see `combined(with:)` of `StorageAware`.
  public func combined<Back: ReadableStorage & WritableStorage>(
    with back: Back
  ) -> some ReadWriteStorage<Key, Value>
  where Back.Key == Key, Back.Value == Value {
    CombinedPlainStorage(front: self, back: back) { try await back.set($0, forKey: $1) }
  }

  /// Returns this store in front of a store that is only read. Values found in the back are copied to the front;
  /// nothing is ever written to the back.
  ///
  /// Keys cannot be compared, so misses and writes of all keys wait in one queue. For all other rules see
  /// `combined(with:)`.
  public func backed<Back: ReadableStorage>(
    by back: Back
  ) -> some ReadWriteStorage<Key, Value>
  where Back.Key == Key, Back.Value == Value {
    CombinedPlainStorage(front: self, back: back, storageName: "backed") { _, _ in }
  }

  /// Returns this store with every value also written to another store. Only this store is read.
  ///
  /// A value goes to the other store first; if that store refuses it, this store does not change.
  public func pushing<Back: WritableStorage>(to back: Back) -> some ReadWriteStorage<Key, Value>
  where Back.Key == Key, Back.Value == Value {
    PushingPlainStorage(front: self, back: back)
  }
}

extension ReadableStorage {
  /// Returns a store that reads this store and, if it has no value, another. It writes to neither.
  public func backed<Back: ReadableStorage>(by back: Back) -> some ReadableStorage<Key, Value>
  where Back.Key == Key, Back.Value == Value {
    BackedReadableStorage(front: self, back: back)
  }
}

extension WritableStorage {
  /// Returns this store with every value also written to another store.
  ///
  /// A value goes to the other store first; if that store refuses it, this store does not change.
  public func pushing<Back: WritableStorage>(to back: Back) -> some WritableStorage<Key, Value>
  where Back.Key == Key, Back.Value == Value {
    PushingPlainStorage(front: self, back: back)
  }
}
