#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension ReadableStorage where Value == Data {
  /// The bytes of this store read as any JSON.
  @inlinable
  public func mapJSON(decoder: JSONDecoder = JSONDecoder()) -> some ReadableStorage<Key, JSONValue> {
    mapData("mapJSON", .codable(JSONValue.self, encoder: JSONEncoder(), decoder: decoder))
  }

  /// The bytes of this store read as JSON objects.
  @inlinable
  public func mapJSONDictionary(decoder: JSONDecoder = JSONDecoder()) -> some ReadableStorage<
    Key, [String: JSONValue]
  > {
    mapData("mapJSONDictionary", .codable([String: JSONValue].self, encoder: JSONEncoder(), decoder: decoder))
  }

  /// The bytes of this store read as a type, from JSON.
  @inlinable
  public func mapJSONObject<U: Codable & Sendable>(
    _ type: U.Type = U.self, decoder: JSONDecoder = JSONDecoder()
  ) -> some ReadableStorage<Key, U> {
    mapData("mapJSONObject(\(type))", .codable(type, encoder: JSONEncoder(), decoder: decoder))
  }
}

extension WritableStorage where Value == Data {
  /// Any JSON written to this store as bytes.
  @inlinable
  public func mapJSON(encoder: JSONEncoder = JSONEncoder()) -> some WritableStorage<Key, JSONValue> {
    mapData("mapJSON", .codable(JSONValue.self, encoder: encoder, decoder: JSONDecoder()))
  }

  /// JSON objects written to this store as bytes.
  @inlinable
  public func mapJSONDictionary(encoder: JSONEncoder = JSONEncoder()) -> some WritableStorage<
    Key, [String: JSONValue]
  > {
    mapData("mapJSONDictionary", .codable([String: JSONValue].self, encoder: encoder, decoder: JSONDecoder()))
  }

  /// Values of a type written to this store as JSON.
  @inlinable
  public func mapJSONObject<U: Codable & Sendable>(
    _ type: U.Type = U.self, encoder: JSONEncoder = JSONEncoder()
  ) -> some WritableStorage<Key, U> {
    mapData("mapJSONObject(\(type))", .codable(type, encoder: encoder, decoder: JSONDecoder()))
  }
}

extension ReadableStorage where Self: WritableStorage, Value == Data {
  /// The bytes of this store as any JSON.
  @inlinable
  public func mapJSON(decoder: JSONDecoder = JSONDecoder(), encoder: JSONEncoder = JSONEncoder())
    -> some ReadWriteStorage<Key, JSONValue>
  {
    mapData("mapJSON", .codable(JSONValue.self, encoder: encoder, decoder: decoder))
  }

  /// The bytes of this store as JSON objects.
  @inlinable
  public func mapJSONDictionary(decoder: JSONDecoder = JSONDecoder(), encoder: JSONEncoder = JSONEncoder())
    -> some ReadWriteStorage<Key, [String: JSONValue]>
  {
    mapData("mapJSONDictionary", .codable([String: JSONValue].self, encoder: encoder, decoder: decoder))
  }

  /// The bytes of this store as a type, in JSON.
  @inlinable
  public func mapJSONObject<U: Codable & Sendable>(
    _ type: U.Type = U.self, decoder: JSONDecoder = JSONDecoder(), encoder: JSONEncoder = JSONEncoder()
  ) -> some ReadWriteStorage<Key, U> {
    mapData("mapJSONObject(\(type))", .codable(type, encoder: encoder, decoder: decoder))
  }
}

extension StorageAware where Value == Data {
  /// The bytes of this store as any JSON.
  ///
  /// Bytes that are none throw `.typeNotMatch` with the key and the reason, and stay as they are. For JSON of a known
  /// shape `mapJSONObject(_:)` is several times faster.
  ///
  /// Coders of your own are used on any thread, also at the same time: set them up before and leave them as they are.
  @inlinable
  public func mapJSON(decoder: JSONDecoder = JSONDecoder(), encoder: JSONEncoder = JSONEncoder())
    -> some StorageAware<Key, JSONValue>
  {
    mapData("mapJSON", .codable(JSONValue.self, encoder: encoder, decoder: decoder))
  }

  /// The bytes of this store as JSON objects.
  ///
  /// As `mapJSON()`, and anything but an object at the top throws too.
  @inlinable
  public func mapJSONDictionary(decoder: JSONDecoder = JSONDecoder(), encoder: JSONEncoder = JSONEncoder())
    -> some StorageAware<Key, [String: JSONValue]>
  {
    mapData("mapJSONDictionary", .codable([String: JSONValue].self, encoder: encoder, decoder: decoder))
  }

  /// The bytes of this store as a type, in JSON.
  ///
  /// Bytes that are none throw `.typeNotMatch` with the key and the reason, and stay as they are.
  ///
  /// Coders of your own are used on any thread, also at the same time: set them up before and leave them as they are.
  ///
  /// ```swift
  /// let cities = disk.mapJSONObject(City.self)
  /// let decoder = JSONDecoder()
  /// decoder.dateDecodingStrategy = .iso8601
  /// let events = disk.mapJSONObject(Event.self, decoder: decoder)
  /// ```
  @inlinable
  public func mapJSONObject<U: Codable & Sendable>(
    _ type: U.Type = U.self, decoder: JSONDecoder = JSONDecoder(), encoder: JSONEncoder = JSONEncoder()
  ) -> some StorageAware<Key, U> {
    mapData("mapJSONObject(\(type))", .codable(type, encoder: encoder, decoder: decoder))
  }
}

extension SyncStorageAware where Value == Data {
  /// The bytes of this store as any JSON.
  @inlinable
  public func mapJSON(decoder: JSONDecoder = JSONDecoder(), encoder: JSONEncoder = JSONEncoder())
    -> some SyncStorageAware<Key, JSONValue>
  {
    mapData("mapJSON", .codable(JSONValue.self, encoder: encoder, decoder: decoder))
  }

  /// The bytes of this store as JSON objects.
  @inlinable
  public func mapJSONDictionary(decoder: JSONDecoder = JSONDecoder(), encoder: JSONEncoder = JSONEncoder())
    -> some SyncStorageAware<Key, [String: JSONValue]>
  {
    mapData("mapJSONDictionary", .codable([String: JSONValue].self, encoder: encoder, decoder: decoder))
  }

  /// The bytes of this store as a type, in JSON.
  @inlinable
  public func mapJSONObject<U: Codable & Sendable>(
    _ type: U.Type = U.self, decoder: JSONDecoder = JSONDecoder(), encoder: JSONEncoder = JSONEncoder()
  ) -> some SyncStorageAware<Key, U> {
    mapData("mapJSONObject(\(type))", .codable(type, encoder: encoder, decoder: decoder))
  }
}
