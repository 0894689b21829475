extension ReadableStorage {
  /// This store read by other keys.
  ///
  /// What the function throws, the read throws.
  @inlinable
  public func mapKeys<K: Sendable>(
    to type: K.Type = K.self, _ mapping: @escaping @Sendable (K) throws -> Key
  ) -> some ReadableStorage<K, Value> {
    OneWayMappedKeys(self, "mapKeys(to: \(type))", mapping)
  }
}

extension WritableStorage {
  /// This store written by other keys.
  ///
  /// What the function throws, the write throws.
  @inlinable
  public func mapKeys<K: Sendable>(
    to type: K.Type = K.self, _ mapping: @escaping @Sendable (K) throws -> Key
  ) -> some WritableStorage<K, Value> {
    OneWayMappedKeys(self, "mapKeys(to: \(type))", mapping)
  }
}

extension ReadableStorage where Self: WritableStorage {
  /// This store read and written by other keys.
  ///
  /// There is no way back from this store's keys, so the result cannot list its own, and reads and writes only. To keep
  /// all that a `StorageAware` store can do, give both ways with `mapKeys(to:mapTo:mapFrom:)`.
  ///
  /// ```swift
  /// let keyed = images.mapKeys(to: ImageKey.self, \.rawValue)
  /// ```
  @inlinable
  public func mapKeys<K: Sendable>(
    to type: K.Type = K.self, _ mapping: @escaping @Sendable (K) throws -> Key
  ) -> some ReadWriteStorage<K, Value> {
    OneWayMappedKeys(self, "mapKeys(to: \(type))", mapping)
  }
}

extension StorageAware {
  /// This store by other keys, there and back.
  ///
  /// `mapFrom` leads to a key of this store and must give different keys for different ones; `mapTo` is its inverse,
  /// `nil` for a key that belongs to others. Such keys are not listed and not removed: the result is a part of this
  /// store. So `removeAll()` lists the keys and removes its own in one batch. `removeExpiredObjects()` sweeps all of
  /// this store.
  ///
  /// Operations through the result are kept in order with one another by `serial()`, not with those that use this
  /// store's own keys: where both are used, make this store serial before its keys are mapped.
  ///
  /// ```swift
  /// let drafts = texts.mapKeys(
  ///   to: Int.self,
  ///   mapTo: { $0.hasPrefix("draft-") ? Int($0.dropFirst(6)) : nil },
  ///   mapFrom: { "draft-\($0)" })
  /// ```
  @inlinable
  public func mapKeys<K: Hashable & Sendable>(
    to type: K.Type = K.self, mapTo: @escaping @Sendable (Key) throws -> K?,
    mapFrom: @escaping @Sendable (K) throws -> Key
  ) -> some StorageAware<K, Value> {
    MappedKeys(self, mapTo: mapTo, mapFrom: mapFrom)
  }

  /// This store by keys whose raw values are its own. Its other keys belong to others.
  ///
  /// ```swift
  /// enum ImageKey: String { case kitten, puppy }
  /// let keyed = images.mapKeys(to: ImageKey.self)
  /// ```
  @inlinable
  public func mapKeys<K: RawRepresentable & Hashable & Sendable>(
    to type: K.Type = K.self
  ) -> some StorageAware<K, Value> where K.RawValue == Key {
    mapKeys(to: type, mapTo: { K(rawValue: $0) }, mapFrom: { $0.rawValue })
  }
}

extension SyncStorageAware {
  /// This store by other keys, there and back.
  ///
  /// As on every `StorageAware`, and the result can be used without `await` as this store can.
  @inlinable
  public func mapKeys<K: Hashable & Sendable>(
    to type: K.Type = K.self, mapTo: @escaping @Sendable (Key) throws -> K?,
    mapFrom: @escaping @Sendable (K) throws -> Key
  ) -> some SyncStorageAware<K, Value> {
    MappedKeys(self, mapTo: mapTo, mapFrom: mapFrom)
  }

  /// This store by keys whose raw values are its own. Its other keys belong to others.
  @inlinable
  public func mapKeys<K: RawRepresentable & Hashable & Sendable>(
    to type: K.Type = K.self
  ) -> some SyncStorageAware<K, Value> where K.RawValue == Key {
    mapKeys(to: type, mapTo: { K(rawValue: $0) }, mapFrom: { $0.rawValue })
  }
}
