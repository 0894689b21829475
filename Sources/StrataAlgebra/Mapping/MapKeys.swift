public import StrataCore

extension ReadableStorage {
  /// Returns a store that reads this store by other keys.
  ///
  /// Errors of the function are thrown by the read.
  @inlinable
  public func mapKeys<K: Sendable>(
    to type: K.Type = K.self, _ mapping: @escaping @Sendable (K) throws -> Key
  ) -> some ReadableStorage<K, Value> {
    OneWayMappedKeys(self, "mapKeys(to: \(type))", mapping)
  }

  /// Returns the single value of a key as a store, which is read with `retrieve()`.
  @inlinable
  public func singleKey(_ key: Key) -> some ReadableStorage<Void, Value> {
    OneWayMappedKeys(self, "singleKey(\(key))") { key }
  }
}

extension WritableStorage {
  /// Returns a store that writes this store by other keys.
  ///
  /// Errors of the function are thrown by the write.
  @inlinable
  public func mapKeys<K: Sendable>(
    to type: K.Type = K.self, _ mapping: @escaping @Sendable (K) throws -> Key
  ) -> some WritableStorage<K, Value> {
    OneWayMappedKeys(self, "mapKeys(to: \(type))", mapping)
  }

  /// Returns the single value of a key as a store, which is written with `set(_:)`.
  @inlinable
  public func singleKey(_ key: Key) -> some WritableStorage<Void, Value> {
    OneWayMappedKeys(self, "singleKey(\(key))") { key }
  }
}

extension ReadableStorage where Self: WritableStorage {
  /// Returns a store that reads and writes this store by other keys.
  ///
  /// This store's keys cannot be mapped back, so the result cannot list keys: it only reads and writes. To keep all
  /// functions of a `StorageAware`, map both ways with `mapKeys(to:mapTo:mapFrom:)`.
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

  /// Returns the single value of a key as a store, which is read with `retrieve()` and written with `set(_:)`.
  ///
  /// ```swift
  /// let settings = disk.mapJSONDictionary().singleKey("settings")
  /// try await settings.set(["theme": "dark"])
  /// ```
  ///
  /// To remove the value too, use the `item(forKey:)` of a store.
  @inlinable
  public func singleKey(_ key: Key) -> some ReadWriteStorage<Void, Value> {
    OneWayMappedKeys(self, "singleKey(\(key))") { key }
  }
}

extension StorageAware {
  /// Returns this store with its keys mapped both ways.
  ///
  /// `mapFrom` returns a key of this store, and must return different keys for different arguments. `mapTo` is its
  /// inverse; it returns `nil` for a key of this store that is not part of the result. Such keys are neither listed nor
  /// removed. `removeAll()` lists this store's keys and removes the mapped ones in one batch. `removeExpiredObjects()`
  /// removes expired entries of all of this store.
  ///
  /// `serial()` orders the operations of the result among themselves, but not with operations on this store's own keys.
  /// If both are used, make this store serial before its keys are mapped.
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

  /// Returns this store with keys whose raw values are this store's keys. Keys that are no raw value are not part of
  /// the result.
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
  /// Returns this store with its keys mapped both ways.
  ///
  /// Works like `mapKeys` of `StorageAware`; the result can also be used without `await`.
  @inlinable
  public func mapKeys<K: Hashable & Sendable>(
    to type: K.Type = K.self, mapTo: @escaping @Sendable (Key) throws -> K?,
    mapFrom: @escaping @Sendable (K) throws -> Key
  ) -> some SyncStorageAware<K, Value> {
    MappedKeys(self, mapTo: mapTo, mapFrom: mapFrom)
  }

  /// Returns this store with keys whose raw values are this store's keys. Keys that are no raw value are not part of
  /// the result.
  @inlinable
  public func mapKeys<K: RawRepresentable & Hashable & Sendable>(
    to type: K.Type = K.self
  ) -> some SyncStorageAware<K, Value> where K.RawValue == Key {
    mapKeys(to: type, mapTo: { K(rawValue: $0) }, mapFrom: { $0.rawValue })
  }
}
