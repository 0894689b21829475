extension ReadableStorage {
  /// Returns this store with its values mapped as they are read, by a function that may suspend.
  ///
  /// What the function throws, the read throws.
  @inlinable
  public func mapValues<U: Sendable>(
    to type: U.Type = U.self, _ mapping: @escaping @Sendable (Value) async throws -> U
  ) -> some ReadableStorage<Key, U> {
    AsyncReadMappedValues(self, "mapValues(to: \(type))", mapping)
  }
}

extension WritableStorage {
  /// Returns this store with its values mapped as they are written, by a function that may suspend.
  ///
  /// What the function throws, the write throws, and nothing is stored.
  @inlinable
  public func mapValues<U: Sendable>(
    to type: U.Type = U.self, _ mapping: @escaping @Sendable (U) async throws -> Value
  ) -> some WritableStorage<Key, U> {
    AsyncWriteMappedValues(self, "mapValues(to: \(type))", mapping)
  }
}

extension ReadableStorage where Self: WritableStorage {
  /// Returns this store with its values mapped both ways by functions that may suspend.
  ///
  /// What a function throws, the operation throws; a write has then stored nothing.
  @inlinable
  public func mapValues<U: Sendable>(
    to type: U.Type = U.self, mapTo: @escaping @Sendable (Value) async throws -> U,
    mapFrom: @escaping @Sendable (U) async throws -> Value
  ) -> some ReadWriteStorage<Key, U> {
    AsyncMappedValues(self, "mapValues(to: \(type))", mapTo: mapTo, mapFrom: mapFrom)
  }
}

extension StorageAware {
  /// Returns this store with its values mapped both ways by functions that may suspend, as those of an `Encryptor` may.
  ///
  /// The result cannot be used without `await`, even if this store can. What a function throws, the operation throws; a
  /// write, also one of many values, has then stored nothing. Many values are mapped one after the other. Keys, expiry
  /// and removal are those of this store and map nothing.
  ///
  /// ```swift
  /// let secrets = disk.mapValues(
  ///   to: Data.self, mapTo: { try await encryptor.decrypt(data: $0) },
  ///   mapFrom: { try await encryptor.encrypt(data: $0) })
  /// ```
  @inlinable
  public func mapValues<U: Sendable>(
    to type: U.Type = U.self, mapTo: @escaping @Sendable (Value) async throws -> U,
    mapFrom: @escaping @Sendable (U) async throws -> Value
  ) -> some StorageAware<Key, U> {
    AsyncMappedValues(self, "mapValues(to: \(type))", mapTo: mapTo, mapFrom: mapFrom)
  }
}
