#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

// Views of a byte store as JSON, for each kind of store: see MapData.swift.

extension ReadableStorage where Value == Data {
  /// Returns a store that reads the bytes of this store as any JSON.
  ///
  /// ```swift
  /// let documents = disk.mapJSON()
  /// let founded = try await documents.retrieve(forKey: "kharkiv")["founded"]?.int
  /// ```
  public func mapJSON(decoder: JSONDecoder = JSONDecoder()) -> some ReadableStorage<Key, JSONValue> {
    mapData("mapJSON", .codable(JSONValue.self, encoder: JSONEncoder(), decoder: decoder))
  }

  /// Returns a store that reads the bytes of this store as JSON objects.
  public func mapJSONDictionary(decoder: JSONDecoder = JSONDecoder()) -> some ReadableStorage<
    Key, [String: JSONValue]
  > {
    mapData("mapJSONDictionary", .codable([String: JSONValue].self, encoder: JSONEncoder(), decoder: decoder))
  }

  /// Returns a store that reads values of a type from the JSON bytes of this store.
  public func mapJSONObject<U: Codable & Sendable>(
    _ type: U.Type = U.self, decoder: JSONDecoder = JSONDecoder()
  ) -> some ReadableStorage<Key, U> {
    mapData("mapJSONObject(\(type))", .codable(type, encoder: JSONEncoder(), decoder: decoder))
  }
}

extension WritableStorage where Value == Data {
  /// Returns a store that writes any JSON to this store as bytes.
  public func mapJSON(encoder: JSONEncoder = JSONEncoder()) -> some WritableStorage<Key, JSONValue> {
    mapData("mapJSON", .codable(JSONValue.self, encoder: encoder, decoder: JSONDecoder()))
  }

  /// Returns a store that writes JSON objects to this store as bytes.
  public func mapJSONDictionary(encoder: JSONEncoder = JSONEncoder()) -> some WritableStorage<
    Key, [String: JSONValue]
  > {
    mapData("mapJSONDictionary", .codable([String: JSONValue].self, encoder: encoder, decoder: JSONDecoder()))
  }

  /// Returns a store that writes values of a type to this store as JSON.
  public func mapJSONObject<U: Codable & Sendable>(
    _ type: U.Type = U.self, encoder: JSONEncoder = JSONEncoder()
  ) -> some WritableStorage<Key, U> {
    mapData("mapJSONObject(\(type))", .codable(type, encoder: encoder, decoder: JSONDecoder()))
  }
}

extension ReadableStorage where Self: WritableStorage, Value == Data {
  /// Returns a view of this byte store as any JSON.
  public func mapJSON(decoder: JSONDecoder = JSONDecoder(), encoder: JSONEncoder = JSONEncoder())
    -> some ReadWriteStorage<Key, JSONValue>
  {
    mapData("mapJSON", .codable(JSONValue.self, encoder: encoder, decoder: decoder))
  }

  /// Returns a view of this byte store as JSON objects.
  public func mapJSONDictionary(decoder: JSONDecoder = JSONDecoder(), encoder: JSONEncoder = JSONEncoder())
    -> some ReadWriteStorage<Key, [String: JSONValue]>
  {
    mapData("mapJSONDictionary", .codable([String: JSONValue].self, encoder: encoder, decoder: decoder))
  }

  /// Returns a view of this byte store as a type, in JSON.
  public func mapJSONObject<U: Codable & Sendable>(
    _ type: U.Type = U.self, decoder: JSONDecoder = JSONDecoder(), encoder: JSONEncoder = JSONEncoder()
  ) -> some ReadWriteStorage<Key, U> {
    mapData("mapJSONObject(\(type))", .codable(type, encoder: encoder, decoder: decoder))
  }

  /// Returns a view of this byte store as a type, in JSON; see `mapJSONObject(_:decoder:encoder:)`.
  public func mapJSONObject<U: Codable & Sendable>(
    _ type: U.Type = U.self, encoder: JSONEncoder, decoder: JSONDecoder
  ) -> some ReadWriteStorage<Key, U> {
    mapJSONObject(type, decoder: decoder, encoder: encoder)
  }
}

extension StorageAware where Value == Data {
  /// Returns a view of this byte store as any JSON.
  ///
  /// Bytes that are not valid JSON throw `.typeNotMatch` with the key and the reason; the bytes do not change. For JSON
  /// of a known shape, `mapJSONObject(_:)` is several times faster.
  ///
  /// Coders of your own are used on any thread, also concurrently: do not change them after this call.
  public func mapJSON(decoder: JSONDecoder = JSONDecoder(), encoder: JSONEncoder = JSONEncoder())
    -> some StorageAware<Key, JSONValue>
  {
    mapData("mapJSON", .codable(JSONValue.self, encoder: encoder, decoder: decoder))
  }

  /// Returns a view of this byte store as JSON objects.
  ///
  /// Like `mapJSON()`, but any JSON other than an object throws too.
  public func mapJSONDictionary(decoder: JSONDecoder = JSONDecoder(), encoder: JSONEncoder = JSONEncoder())
    -> some StorageAware<Key, [String: JSONValue]>
  {
    mapData("mapJSONDictionary", .codable([String: JSONValue].self, encoder: encoder, decoder: decoder))
  }

  /// Returns a view of this byte store as a type, in JSON.
  ///
  /// Bytes that cannot be decoded throw `.typeNotMatch` with the key and the reason; the bytes do not change.
  ///
  /// Coders of your own are used on any thread, also concurrently: do not change them after this call.
  ///
  /// ```swift
  /// let cities = disk.mapJSONObject(City.self)
  /// let decoder = JSONDecoder()
  /// decoder.dateDecodingStrategy = .iso8601
  /// let events = disk.mapJSONObject(Event.self, decoder: decoder)
  /// ```
  public func mapJSONObject<U: Codable & Sendable>(
    _ type: U.Type = U.self, decoder: JSONDecoder = JSONDecoder(), encoder: JSONEncoder = JSONEncoder()
  ) -> some StorageAware<Key, U> {
    mapData("mapJSONObject(\(type))", .codable(type, encoder: encoder, decoder: decoder))
  }

  /// Returns a view of this byte store as a type, in JSON; see `mapJSONObject(_:decoder:encoder:)`.
  public func mapJSONObject<U: Codable & Sendable>(
    _ type: U.Type = U.self, encoder: JSONEncoder, decoder: JSONDecoder
  ) -> some StorageAware<Key, U> {
    mapJSONObject(type, decoder: decoder, encoder: encoder)
  }
}

extension SyncStorageAware where Value == Data {
  /// Returns a view of this byte store as any JSON.
  public func mapJSON(decoder: JSONDecoder = JSONDecoder(), encoder: JSONEncoder = JSONEncoder())
    -> some SyncStorageAware<Key, JSONValue>
  {
    mapData("mapJSON", .codable(JSONValue.self, encoder: encoder, decoder: decoder))
  }

  /// Returns a view of this byte store as JSON objects.
  public func mapJSONDictionary(decoder: JSONDecoder = JSONDecoder(), encoder: JSONEncoder = JSONEncoder())
    -> some SyncStorageAware<Key, [String: JSONValue]>
  {
    mapData("mapJSONDictionary", .codable([String: JSONValue].self, encoder: encoder, decoder: decoder))
  }

  /// Returns a view of this byte store as a type, in JSON.
  public func mapJSONObject<U: Codable & Sendable>(
    _ type: U.Type = U.self, decoder: JSONDecoder = JSONDecoder(), encoder: JSONEncoder = JSONEncoder()
  ) -> some SyncStorageAware<Key, U> {
    mapData("mapJSONObject(\(type))", .codable(type, encoder: encoder, decoder: decoder))
  }

  /// Returns a view of this byte store as a type, in JSON; see `mapJSONObject(_:decoder:encoder:)`.
  public func mapJSONObject<U: Codable & Sendable>(
    _ type: U.Type = U.self, encoder: JSONEncoder, decoder: JSONDecoder
  ) -> some SyncStorageAware<Key, U> {
    mapJSONObject(type, decoder: decoder, encoder: encoder)
  }
}
