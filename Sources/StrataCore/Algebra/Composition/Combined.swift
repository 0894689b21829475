extension StorageAware {
  /// This store in front of another: reads ask the front, then the back; writes go to both.
  ///
  /// The three ways to put a store in front of another:
  ///
  /// | | reads | what the back had | values written | removals |
  /// |---|---|---|---|---|
  /// | `front.combined(with: back)` | front, then back | put in front | back, then front | back, then front |
  /// | `front.backed(by: back)` | front, then back | put in front, if it can be written | front | front |
  /// | `front.pushing(to: back)` | front | | back, then front | back, then front |
  ///
  /// - Only absence leads from the front to the back; a front that fails throws its error, and so does the back.
  /// - What is put in front expires as it does in the back, or by the front's own expiry if that is earlier, and never
  ///   replaces a newer write or a removal. Of many that miss a key at the same time one asks the back and answers for
  ///   all; cancelling one of them cancels no other.
  /// - If a write fails, the front drops the key, so that the next read sees what the back holds. A front that cannot
  ///   remove, being no `StorageAware`, keeps what it had. With `backed(by:)` and `pushing(to:)`, where the front is
  ///   the truth, a change that is refused does not happen in front. A write that the back has made is finished, also
  ///   if its task is cancelled.
  /// - An `update` keeps the expiry that each of the two has for the value.
  /// - What the back of `backed(by:)` holds cannot be removed through it: it shows again. `keys()` lists both tiers,
  ///   for `pushing(to:)` the front alone.
  /// - A result is synchronous where both stores are, `StorageAware` where both are; of `backed(by:)`, where the front
  ///   is. Where keys are not `Hashable`, as `Void` is not, what misses the front waits in one line whatever the key.
  ///
  /// ```swift
  /// let cities = MemoryStorage<String, City>().combined(with: disk.transform(to: City.self))
  /// ```
  @inlinable
  public func combined<Back: StorageAware>(with back: Back) -> some StorageAware<Key, Value>
  where Back.Key == Key, Back.Value == Value {
    CombinedStorage(front: self, back: back)
  }

  /// This store in front of another that only reads and writes; see `combined(with:)` of a `StorageAware` back.
  public func combined<Back: ReadableStorage & WritableStorage>(
    with back: Back
  ) -> some ReadWriteStorage<Key, Value>
  where Back.Key == Key, Back.Value == Value {
    CombinedStorage(front: self, back: PlainTier(base: back))
  }
}

extension SyncStorageAware {
  /// This store in front of another: reads ask the front, then the back; writes go to both.
  ///
  /// What is found in the back is put in front. See `combined(with:)` of `StorageAware` for what else holds.
  @inlinable
  public func combined<Back: SyncStorageAware>(with back: Back) -> some SyncStorageAware<Key, Value>
  where Back.Key == Key, Back.Value == Value {
    CombinedStorage(front: self, back: back)
  }
}

extension ReadableStorage where Self: WritableStorage, Key: Hashable {
  /// This store in front of another: reads ask the front, then the back; writes go to both.
  ///
  /// What is found in the back is put in front, unless it expires: this store would keep it for ever. See
  /// `combined(with:)` of `StorageAware` for what else holds.
  public func combined<Back: StorageAware>(
    with back: Back
  ) -> some ReadWriteStorage<Key, Value>
  where Back.Key == Key, Back.Value == Value {
    CombinedStorage(front: PlainTier(base: self, clock: back.clock), back: back)
  }

  /// This store in front of another: reads ask the front, then the back; writes go to both.
  ///
  /// What is found in the back is put in front. See `combined(with:)` of `StorageAware` for what else holds.
  public func combined<Back: ReadableStorage & WritableStorage>(
    with back: Back
  ) -> some ReadWriteStorage<Key, Value>
  where Back.Key == Key, Back.Value == Value {
    CombinedStorage(front: PlainTier(base: self), back: PlainTier(base: back))
  }
}

extension ReadableStorage where Self: WritableStorage {
  /// This store in front of another: reads ask the front, then the back; writes go to both.
  ///
  /// What is found in the back is put in front. Keys cannot be told apart, so misses and writes wait in one line. See
  /// `combined(with:)` of `StorageAware` for what else holds.
  public func combined<Back: ReadableStorage & WritableStorage>(
    with back: Back
  ) -> some ReadWriteStorage<Key, Value>
  where Back.Key == Key, Back.Value == Value {
    CombinedPlainStorage(front: self, back: back)
  }
}
