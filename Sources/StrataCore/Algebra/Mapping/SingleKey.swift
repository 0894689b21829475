extension ReadableStorage {
  /// Returns the single value of a key as a store, which is read with `retrieve()`.
  @inlinable
  public func singleKey(_ key: Key) -> some ReadableStorage<Void, Value> {
    OneWayMappedKeys(self, "singleKey(\(key))") { key }
  }
}

extension WritableStorage {
  /// Returns the single value of a key as a store, which is written with `set(_:)`.
  @inlinable
  public func singleKey(_ key: Key) -> some WritableStorage<Void, Value> {
    OneWayMappedKeys(self, "singleKey(\(key))") { key }
  }
}

extension ReadableStorage where Self: WritableStorage {
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
