public import StrataCore

extension ReadableStorage {
  /// Returns this store with values that are mapped when they are read, by a function that may suspend.
  ///
  /// Errors of the function are thrown by the read. If the function fits both halves of a store that can also be
  /// written, choose the half: `store.readOnly().mapValues { $0 + 1 }`.
  ///
  /// ```swift
  /// let lengths = texts.readOnly().mapValues(to: Int.self) { $0.count }
  /// ```
  @inlinable
  public func mapValues<U: Sendable>(
    to type: U.Type = U.self, _ mapping: @escaping @Sendable (Value) async throws -> U
  ) -> some ReadableStorage<Key, U> {
    ReadMappedValues(self, "mapValues(to: \(type))", mapping)
  }
}

extension WritableStorage {
  /// Returns this store with values that are mapped when they are written, by a function that may suspend.
  ///
  /// If the function throws, the write throws its error and stores nothing.
  ///
  /// ```swift
  /// let numbers = texts.writeOnly().mapValues(to: Int.self) { String($0) }
  /// ```
  @inlinable
  public func mapValues<U: Sendable>(
    to type: U.Type = U.self, _ mapping: @escaping @Sendable (U) async throws -> Value
  ) -> some WritableStorage<Key, U> {
    WriteMappedValues(self, "mapValues(to: \(type))", mapping)
  }
}

extension ReadableStorage where Self: WritableStorage {
  /// Returns this store with values that are mapped both ways, by functions that may suspend: by `mapTo` when they are
  /// read, by `mapFrom` when they are written.
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

  /// Returns this store with values that are mapped both ways: by `mapTo` when they are read, by `mapFrom` when they
  /// are written.
  ///
  /// If a function throws, the operation throws its error, and a write, even of many values, stores nothing. The
  /// functions are called by every operation, including `peek`, and their results are not kept, so they should be
  /// cheap. Keys, expiries and removals are not mapped.
  ///
  /// ```swift
  /// let images = files.mapValues(
  ///   to: Image.self, mapTo: { try Image(png: $0) }, mapFrom: { try $0.png() })
  /// ```
  @inlinable
  public func mapValues<U: Sendable>(
    to type: U.Type = U.self, mapTo: @escaping @Sendable (Value) throws -> U,
    mapFrom: @escaping @Sendable (U) throws -> Value
  ) -> some StorageAware<Key, U> {
    MappedValues(self, "mapValues(to: \(type))", mapTo: mapTo, mapFrom: mapFrom)
  }
}

extension SyncStorageAware {
  /// Returns this store with values that are mapped both ways: by `mapTo` when they are read, by `mapFrom` when they
  /// are written.
  ///
  /// Works like `mapValues` of `StorageAware`; the result can also be used without `await`.
  @inlinable
  public func mapValues<U: Sendable>(
    to type: U.Type = U.self, mapTo: @escaping @Sendable (Value) throws -> U,
    mapFrom: @escaping @Sendable (U) throws -> Value
  ) -> some SyncStorageAware<Key, U> {
    MappedValues(self, "mapValues(to: \(type))", mapTo: mapTo, mapFrom: mapFrom)
  }
}
