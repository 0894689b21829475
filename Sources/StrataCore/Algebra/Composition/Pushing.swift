extension StorageAware {
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
  /// Returns this store with every change also made in another store.
  ///
  /// Only this store is read. A change goes to the other store first; if that store refuses it, this store does not
  /// change. See the table at `combined(with:)`.
  public func pushing<Back: SyncStorageAware>(to back: Back) -> some SyncStorageAware<Key, Value>
  where Back.Key == Key, Back.Value == Value {
    PushingStorage(front: self, back: back)
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

extension ReadableStorage where Self: WritableStorage {
  /// Returns this store with every value also written to another store. Only this store is read.
  ///
  /// A value goes to the other store first; if that store refuses it, this store does not change.
  public func pushing<Back: WritableStorage>(to back: Back) -> some ReadWriteStorage<Key, Value>
  where Back.Key == Key, Back.Value == Value {
    PushingPlainStorage(front: self, back: back)
  }
}
