extension ReadableStorage {
  /// The one value under a key, to be read with `retrieve()`.
  @inlinable
  public func singleKey(_ key: Key) -> some ReadableStorage<Void, Value> {
    OneWayMappedKeys(self, "singleKey(\(key))") { key }
  }
}

extension WritableStorage {
  /// The one value under a key, to be written with `set(_:)`.
  @inlinable
  public func singleKey(_ key: Key) -> some WritableStorage<Void, Value> {
    OneWayMappedKeys(self, "singleKey(\(key))") { key }
  }
}

extension ReadableStorage where Self: WritableStorage {
  /// The one value under a key, to be read with `retrieve()` and written with `set(_:)`.
  ///
  /// ```swift
  /// let settings = disk.mapJSONDictionary().singleKey("settings")
  /// try await settings.set(["theme": "dark"])
  /// ```
  ///
  /// To remove it too, take the `item(forKey:)` of a store.
  @inlinable
  public func singleKey(_ key: Key) -> some ReadWriteStorage<Void, Value> {
    OneWayMappedKeys(self, "singleKey(\(key))") { key }
  }
}
