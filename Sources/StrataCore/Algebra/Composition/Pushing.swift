extension StorageAware {
  /// This store, with every change made in another one too: a mirror, or a log of what happens.
  ///
  /// The direction is from here to there: reads, `keys()` and what is at hand are this store's alone. A change goes to
  /// the other store first; if that refuses it, it does not happen here. See the table at `combined(with:)`.
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
  /// This store, with every change made in another one too.
  ///
  /// Reads are this store's alone. A change goes to the other store first; if that refuses it, it does not happen here.
  /// See the table at `combined(with:)`.
  public func pushing<Back: SyncStorageAware>(to back: Back) -> some SyncStorageAware<Key, Value>
  where Back.Key == Key, Back.Value == Value {
    PushingStorage(front: self, back: back)
  }
}

extension WritableStorage {
  /// This store, with every value written to another one too.
  ///
  /// A value goes to the other store first; if that refuses it, it is not written here.
  public func pushing<Back: WritableStorage>(to back: Back) -> some WritableStorage<Key, Value>
  where Back.Key == Key, Back.Value == Value {
    PushingPlainStorage(front: self, back: back) { _ in 0 }
  }
}

extension WritableStorage where Key: Hashable {
  /// This store, with every value written to another one too.
  ///
  /// A value goes to the other store first; if that refuses it, it is not written here.
  public func pushing<Back: WritableStorage>(to back: Back) -> some WritableStorage<Key, Value>
  where Back.Key == Key, Back.Value == Value {
    PushingPlainStorage(front: self, back: back) { $0 }
  }
}

extension ReadableStorage where Self: WritableStorage {
  /// This store, with every value written to another one too. Reads are this store's alone.
  ///
  /// A value goes to the other store first; if that refuses it, it is not written here.
  public func pushing<Back: WritableStorage>(
    to back: Back
  ) -> some ReadWriteStorage<Key, Value>
  where Back.Key == Key, Back.Value == Value {
    PushingPlainStorage(front: self, back: back) { _ in 0 }
  }
}

extension ReadableStorage where Self: WritableStorage, Key: Hashable {
  /// This store, with every value written to another one too. Reads are this store's alone.
  ///
  /// A value goes to the other store first; if that refuses it, it is not written here.
  public func pushing<Back: WritableStorage>(
    to back: Back
  ) -> some ReadWriteStorage<Key, Value>
  where Back.Key == Key, Back.Value == Value {
    PushingPlainStorage(front: self, back: back) { $0 }
  }
}
