extension ReadableStorage {
  /// Returns this store with values that are mapped when they are read, by a function that may suspend.
  ///
  /// Errors of the function are thrown by the read.
  @inlinable
  public func mapValues<U: Sendable>(
    to type: U.Type = U.self, _ mapping: @escaping @Sendable (Value) async throws -> U
  ) -> some ReadableStorage<Key, U> {
    AsyncReadMappedValues(self, "mapValues(to: \(type))", mapping)
  }
}

extension WritableStorage {
  /// Returns this store with values that are mapped when they are written, by a function that may suspend.
  ///
  /// If the function throws, the write throws its error and stores nothing.
  @inlinable
  public func mapValues<U: Sendable>(
    to type: U.Type = U.self, _ mapping: @escaping @Sendable (U) async throws -> Value
  ) -> some WritableStorage<Key, U> {
    AsyncWriteMappedValues(self, "mapValues(to: \(type))", mapping)
  }
}

extension ReadableStorage where Self: WritableStorage {
  /// Returns this store with values that are mapped both ways, by functions that may suspend.
  ///
  /// If a function throws, the operation throws its error, and a write stores nothing.
  @inlinable
  public func mapValues<U: Sendable>(
    to type: U.Type = U.self, mapTo: @escaping @Sendable (Value) async throws -> U,
    mapFrom: @escaping @Sendable (U) async throws -> Value
  ) -> some ReadWriteStorage<Key, U> {
    AsyncMappedValues(self, "mapValues(to: \(type))", mapTo: mapTo, mapFrom: mapFrom)
  }
}

extension StorageAware {
  /// Returns this store with values that are mapped both ways, by functions that may suspend, for example the functions
  /// of an `Encryptor`.
  ///
  /// The result cannot be used without `await`, even if this store can. If a function throws, the operation throws its
  /// error, and a write, even of many values, stores nothing. Many values are mapped one after the other. Keys,
  /// expiries and removals are not mapped.
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
