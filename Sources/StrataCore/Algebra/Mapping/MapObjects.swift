#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// `mapJSONObject` and `mapPlistObject` with the coders in the other order.

extension ReadableStorage where Self: WritableStorage, Value == Data {
  /// Returns a view of this byte store as a type, in JSON; see `mapJSONObject(_:decoder:encoder:)`.
  @inlinable
  public func mapJSONObject<U: Codable & Sendable>(
    _ type: U.Type = U.self, encoder: JSONEncoder, decoder: JSONDecoder
  ) -> some ReadWriteStorage<Key, U> {
    mapJSONObject(type, decoder: decoder, encoder: encoder)
  }

  /// Returns a view of this byte store as a type, in property lists; see `mapPlistObject(_:format:decoder:encoder:)`.
  @inlinable
  public func mapPlistObject<U: Codable & Sendable>(
    _ type: U.Type = U.self, encoder: PropertyListEncoder, decoder: PropertyListDecoder
  ) -> some ReadWriteStorage<Key, U> {
    mapPlistObject(type, decoder: decoder, encoder: encoder)
  }
}

extension StorageAware where Value == Data {
  /// Returns a view of this byte store as a type, in JSON; see `mapJSONObject(_:decoder:encoder:)`.
  @inlinable
  public func mapJSONObject<U: Codable & Sendable>(
    _ type: U.Type = U.self, encoder: JSONEncoder, decoder: JSONDecoder
  ) -> some StorageAware<Key, U> {
    mapJSONObject(type, decoder: decoder, encoder: encoder)
  }

  /// Returns a view of this byte store as a type, in property lists; see `mapPlistObject(_:format:decoder:encoder:)`.
  @inlinable
  public func mapPlistObject<U: Codable & Sendable>(
    _ type: U.Type = U.self, encoder: PropertyListEncoder, decoder: PropertyListDecoder
  ) -> some StorageAware<Key, U> {
    mapPlistObject(type, decoder: decoder, encoder: encoder)
  }
}

extension SyncStorageAware where Value == Data {
  /// Returns a view of this byte store as a type, in JSON; see `mapJSONObject(_:decoder:encoder:)`.
  @inlinable
  public func mapJSONObject<U: Codable & Sendable>(
    _ type: U.Type = U.self, encoder: JSONEncoder, decoder: JSONDecoder
  ) -> some SyncStorageAware<Key, U> {
    mapJSONObject(type, decoder: decoder, encoder: encoder)
  }

  /// Returns a view of this byte store as a type, in property lists; see `mapPlistObject(_:format:decoder:encoder:)`.
  @inlinable
  public func mapPlistObject<U: Codable & Sendable>(
    _ type: U.Type = U.self, encoder: PropertyListEncoder, decoder: PropertyListDecoder
  ) -> some SyncStorageAware<Key, U> {
    mapPlistObject(type, decoder: decoder, encoder: encoder)
  }
}
