#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension ReadableStorage where Value == Data {
  /// The bytes of this store read as any JSON.
  @inlinable
  public func mapJSON() -> some ReadableStorage<Key, JSONValue> {
    mapData("mapJSON", .codable(JSONValue.self))
  }

  /// The bytes of this store read as JSON objects.
  @inlinable
  public func mapJSONDictionary() -> some ReadableStorage<Key, [String: JSONValue]> {
    mapData("mapJSONDictionary", .codable([String: JSONValue].self))
  }

  /// The bytes of this store read as a type, from JSON.
  @inlinable
  public func mapJSONObject<U: Codable & Sendable>(_ type: U.Type = U.self) -> some ReadableStorage<Key, U> {
    mapData("mapJSONObject(\(type))", .codable(type))
  }
}

extension WritableStorage where Value == Data {
  /// Any JSON written to this store as bytes.
  @inlinable
  public func mapJSON() -> some WritableStorage<Key, JSONValue> {
    mapData("mapJSON", .codable(JSONValue.self))
  }

  /// JSON objects written to this store as bytes.
  @inlinable
  public func mapJSONDictionary() -> some WritableStorage<Key, [String: JSONValue]> {
    mapData("mapJSONDictionary", .codable([String: JSONValue].self))
  }

  /// Values of a type written to this store as JSON.
  @inlinable
  public func mapJSONObject<U: Codable & Sendable>(_ type: U.Type = U.self) -> some WritableStorage<Key, U> {
    mapData("mapJSONObject(\(type))", .codable(type))
  }
}

extension ReadableStorage where Self: WritableStorage, Value == Data {
  /// The bytes of this store as any JSON.
  @inlinable
  public func mapJSON() -> some ReadableStorage<Key, JSONValue> & WritableStorage<Key, JSONValue> {
    mapData("mapJSON", .codable(JSONValue.self))
  }

  /// The bytes of this store as JSON objects.
  @inlinable
  public func mapJSONDictionary() -> some ReadableStorage<Key, [String: JSONValue]> & WritableStorage<
    Key, [String: JSONValue]
  > {
    mapData("mapJSONDictionary", .codable([String: JSONValue].self))
  }

  /// The bytes of this store as a type, in JSON.
  @inlinable
  public func mapJSONObject<U: Codable & Sendable>(_ type: U.Type = U.self) -> some ReadableStorage<Key, U>
    & WritableStorage<Key, U>
  {
    mapData("mapJSONObject(\(type))", .codable(type))
  }
}

extension StorageAware where Value == Data {
  /// The bytes of this store as any JSON.
  ///
  /// Bytes that are none throw `.typeNotMatch` with the key and the reason, and stay as they are. For JSON of a known
  /// shape `mapJSONObject(_:)` is several times faster.
  @inlinable
  public func mapJSON() -> some StorageAware<Key, JSONValue> {
    mapData("mapJSON", .codable(JSONValue.self))
  }

  /// The bytes of this store as JSON objects.
  ///
  /// As `mapJSON()`, and anything but an object at the top throws too.
  @inlinable
  public func mapJSONDictionary() -> some StorageAware<Key, [String: JSONValue]> {
    mapData("mapJSONDictionary", .codable([String: JSONValue].self))
  }

  /// The bytes of this store as a type, in JSON.
  ///
  /// Bytes that are none throw `.typeNotMatch` with the key and the reason, and stay as they are.
  ///
  /// ```swift
  /// let cities = disk.mapJSONObject(City.self)
  /// ```
  @inlinable
  public func mapJSONObject<U: Codable & Sendable>(_ type: U.Type = U.self) -> some StorageAware<Key, U> {
    mapData("mapJSONObject(\(type))", .codable(type))
  }
}

extension SyncStorageAware where Value == Data {
  /// The bytes of this store as any JSON.
  @inlinable
  public func mapJSON() -> some SyncStorageAware<Key, JSONValue> {
    mapData("mapJSON", .codable(JSONValue.self))
  }

  /// The bytes of this store as JSON objects.
  @inlinable
  public func mapJSONDictionary() -> some SyncStorageAware<Key, [String: JSONValue]> {
    mapData("mapJSONDictionary", .codable([String: JSONValue].self))
  }

  /// The bytes of this store as a type, in JSON.
  @inlinable
  public func mapJSONObject<U: Codable & Sendable>(_ type: U.Type = U.self) -> some SyncStorageAware<Key, U> {
    mapData("mapJSONObject(\(type))", .codable(type))
  }
}
