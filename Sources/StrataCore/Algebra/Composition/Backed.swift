extension StorageAware {
  /// This store in front of one that is only read: what the back has is put in front, nothing is ever written to it.
  ///
  /// `keys()` lists both tiers. What the back holds cannot be removed through this store: it shows again. See
  /// `combined(with:)` for what else holds.
  ///
  /// ```swift
  /// let texts = MemoryStorage<String, String>().backed(by: bundledTexts)
  /// ```
  public func backed<Back: StorageAware>(by back: Back) -> some StorageAware<Key, Value>
  where Back.Key == Key, Back.Value == Value {
    CombinedStorage(front: self, back: UnwrittenTier(base: back), storageName: "backed")
  }

  /// This store in front of one that can only be read: what the back has is put in front.
  ///
  /// The back cannot list its keys: `keys()` lists those in front. See `combined(with:)` for what else holds.
  public func backed<Back: ReadableStorage>(by back: Back) -> some StorageAware<Key, Value>
  where Back.Key == Key, Back.Value == Value {
    CombinedStorage(front: self, back: UnwrittenPlainTier(base: back), storageName: "backed")
  }
}

extension SyncStorageAware {
  /// This store in front of one that is only read: what the back has is put in front, nothing is ever written to it.
  ///
  /// `keys()` lists both tiers. What the back holds cannot be removed through this store: it shows again. See
  /// `combined(with:)` for what else holds.
  public func backed<Back: SyncStorageAware>(by back: Back) -> some SyncStorageAware<Key, Value>
  where Back.Key == Key, Back.Value == Value {
    CombinedStorage(front: self, back: UnwrittenTier(base: back), storageName: "backed")
  }
}

extension ReadableStorage {
  /// Reads this store and, where it has nothing, another; writes to neither.
  public func backed<Back: ReadableStorage>(by back: Back) -> some ReadableStorage<Key, Value>
  where Back.Key == Key, Back.Value == Value {
    BackedReadableStorage(front: self, back: back)
  }
}

extension ReadableStorage where Self: WritableStorage {
  /// This store in front of one that is only read: what the back has is put in front, nothing is ever written to it.
  ///
  /// Keys cannot be told apart, so misses and writes wait in one line. See `combined(with:)` for what else holds.
  public func backed<Back: ReadableStorage>(
    by back: Back
  ) -> some ReadWriteStorage<Key, Value>
  where Back.Key == Key, Back.Value == Value {
    CombinedPlainStorage(front: self, back: UnwrittenPlainTier(base: back), storageName: "backed")
  }
}

extension ReadableStorage where Self: WritableStorage, Key: Hashable {
  /// This store in front of one that is only read: what the back has is put in front, nothing is ever written to it.
  ///
  /// See `combined(with:)` for what else holds.
  public func backed<Back: ReadableStorage>(
    by back: Back
  ) -> some ReadWriteStorage<Key, Value>
  where Back.Key == Key, Back.Value == Value {
    CombinedStorage(
      front: PlainTier(base: self), back: UnwrittenPlainTier(base: back), storageName: "backed")
  }

  /// This store in front of one that is only read: what the back has is put in front, unless it expires: this store
  /// would keep it for ever. Nothing is ever written to the back.
  ///
  /// See `combined(with:)` for what else holds.
  public func backed<Back: StorageAware>(
    by back: Back
  ) -> some ReadWriteStorage<Key, Value>
  where Back.Key == Key, Back.Value == Value {
    CombinedStorage(
      front: PlainTier(base: self, clock: back.clock), back: UnwrittenTier(base: back), storageName: "backed")
  }
}
