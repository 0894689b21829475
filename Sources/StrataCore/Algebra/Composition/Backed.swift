extension StorageAware {
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
    CombinedStorage(front: self, back: UnwrittenPlainTier(base: back), storageName: "backed")
  }
}

extension SyncStorageAware {
  /// Returns this store in front of a store that is only read. Values found in the back are copied to the front;
  /// nothing is ever written to the back.
  ///
  /// `keys()` lists both tiers. A value of the back cannot be removed through this store: removing it from the front
  /// makes the back's value visible again. For all other rules see `combined(with:)`.
  public func backed<Back: SyncStorageAware>(by back: Back) -> some SyncStorageAware<Key, Value>
  where Back.Key == Key, Back.Value == Value {
    CombinedStorage(front: self, back: UnwrittenTier(base: back), storageName: "backed")
  }
}

extension ReadableStorage {
  /// Returns a store that reads this store and, if it has no value, another. It writes to neither.
  public func backed<Back: ReadableStorage>(by back: Back) -> some ReadableStorage<Key, Value>
  where Back.Key == Key, Back.Value == Value {
    BackedReadableStorage(front: self, back: back)
  }
}

extension ReadableStorage where Self: WritableStorage {
  /// Returns this store in front of a store that is only read. Values found in the back are copied to the front;
  /// nothing is ever written to the back.
  ///
  /// Keys cannot be compared, so misses and writes of all keys wait in one queue. For all other rules see
  /// `combined(with:)`.
  public func backed<Back: ReadableStorage>(
    by back: Back
  ) -> some ReadWriteStorage<Key, Value>
  where Back.Key == Key, Back.Value == Value {
    CombinedPlainStorage(front: self, back: UnwrittenPlainTier(base: back), storageName: "backed")
  }
}

extension ReadableStorage where Self: WritableStorage, Key: Hashable {
  /// Returns this store in front of a store that is only read. Values found in the back are copied to the front;
  /// nothing is ever written to the back.
  ///
  /// For all other rules see `combined(with:)`.
  public func backed<Back: ReadableStorage>(
    by back: Back
  ) -> some ReadWriteStorage<Key, Value>
  where Back.Key == Key, Back.Value == Value {
    CombinedStorage(
      front: PlainTier(base: self), back: UnwrittenPlainTier(base: back), storageName: "backed")
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
      front: PlainTier(base: self, clock: back.clock), back: UnwrittenTier(base: back), storageName: "backed")
  }
}
