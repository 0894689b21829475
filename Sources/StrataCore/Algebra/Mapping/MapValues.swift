extension ReadableStorage {
  /// This store with its values mapped as they are read.
  ///
  /// What the function throws, the read throws. On a store that can be written too, say which half is meant where the
  /// function fits both: `store.readOnly().mapValues { $0 + 1 }`.
  ///
  /// ```swift
  /// let lengths = texts.readOnly().mapValues(to: Int.self) { $0.count }
  /// ```
  @inlinable
  public func mapValues<U: Sendable>(
    to type: U.Type = U.self, _ mapping: @escaping @Sendable (Value) throws -> U
  ) -> some ReadableStorage<Key, U> {
    ReadMappedValues(self, "mapValues(to: \(type))", mapping)
  }
}

extension WritableStorage {
  /// This store with its values mapped as they are written.
  ///
  /// What the function throws, the write throws, and nothing is stored.
  ///
  /// ```swift
  /// let numbers = texts.writeOnly().mapValues(to: Int.self) { String($0) }
  /// ```
  @inlinable
  public func mapValues<U: Sendable>(
    to type: U.Type = U.self, _ mapping: @escaping @Sendable (U) throws -> Value
  ) -> some WritableStorage<Key, U> {
    WriteMappedValues(self, "mapValues(to: \(type))", mapping)
  }
}

extension ReadableStorage where Self: WritableStorage {
  /// This store with its values mapped: to the new type as they are read, from it as they are written.
  ///
  /// What a function throws, the operation throws; a write has then stored nothing.
  @inlinable
  public func mapValues<U: Sendable>(
    to type: U.Type = U.self, mapTo: @escaping @Sendable (Value) throws -> U,
    mapFrom: @escaping @Sendable (U) throws -> Value
  ) -> some ReadWriteStorage<Key, U> {
    MappedValues(self, "mapValues(to: \(type))", mapTo: mapTo, mapFrom: mapFrom)
  }
}

extension StorageAware {
  /// This store with its values mapped: to the new type as they are read, from it as they are written.
  ///
  /// What a function throws, the operation throws; a write, also one of many values, has then stored nothing. The
  /// functions are called on every operation and nothing is kept of what they return, so let them be cheap: they run on
  /// a `peek` too. Keys, expiry and removal are those of this store and map nothing.
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
  /// This store with its values mapped: to the new type as they are read, from it as they are written.
  ///
  /// As on every `StorageAware`, and the result can be used without `await` as this store can.
  @inlinable
  public func mapValues<U: Sendable>(
    to type: U.Type = U.self, mapTo: @escaping @Sendable (Value) throws -> U,
    mapFrom: @escaping @Sendable (U) throws -> Value
  ) -> some SyncStorageAware<Key, U> {
    MappedValues(self, "mapValues(to: \(type))", mapTo: mapTo, mapFrom: mapFrom)
  }
}
