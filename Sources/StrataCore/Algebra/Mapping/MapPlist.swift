#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension ReadableStorage where Value == Data {
  /// The bytes of this store read as any property list; its format is found out.
  @inlinable
  public func mapPlist() -> some ReadableStorage<Key, PlistValue> {
    mapData("mapPlist", .propertyList(PlistValue.self))
  }

  /// The bytes of this store read as property lists that are dictionaries.
  @inlinable
  public func mapPlistDictionary() -> some ReadableStorage<Key, [String: PlistValue]> {
    mapData("mapPlistDictionary", .propertyList([String: PlistValue].self))
  }

  /// The bytes of this store read as a type, from property lists.
  @inlinable
  public func mapPlistObject<U: Codable & Sendable>(_ type: U.Type = U.self) -> some ReadableStorage<Key, U> {
    mapData("mapPlistObject(\(type))", .propertyList(type))
  }
}

extension WritableStorage where Value == Data {
  /// Any property list written to this store as bytes.
  @inlinable
  public func mapPlist(
    format: PropertyListFormat = .binary
  ) -> some WritableStorage<Key, PlistValue> {
    mapData("mapPlist", .propertyList(PlistValue.self, format: format))
  }

  /// Dictionaries written to this store as property lists.
  @inlinable
  public func mapPlistDictionary(
    format: PropertyListFormat = .binary
  ) -> some WritableStorage<Key, [String: PlistValue]> {
    mapData("mapPlistDictionary", .propertyList([String: PlistValue].self, format: format))
  }

  /// Values of a type written to this store as property lists.
  @inlinable
  public func mapPlistObject<U: Codable & Sendable>(
    _ type: U.Type = U.self, format: PropertyListFormat = .binary
  ) -> some WritableStorage<Key, U> {
    mapData("mapPlistObject(\(type))", .propertyList(type, format: format))
  }
}

extension ReadableStorage where Self: WritableStorage, Value == Data {
  /// The bytes of this store as any property list, written in a format; both are read.
  @inlinable
  public func mapPlist(
    format: PropertyListFormat = .binary
  ) -> some ReadableStorage<Key, PlistValue> & WritableStorage<Key, PlistValue> {
    mapData("mapPlist", .propertyList(PlistValue.self, format: format))
  }

  /// The bytes of this store as property lists that are dictionaries.
  @inlinable
  public func mapPlistDictionary(
    format: PropertyListFormat = .binary
  ) -> some ReadableStorage<Key, [String: PlistValue]> & WritableStorage<Key, [String: PlistValue]> {
    mapData("mapPlistDictionary", .propertyList([String: PlistValue].self, format: format))
  }

  /// The bytes of this store as a type, in property lists.
  @inlinable
  public func mapPlistObject<U: Codable & Sendable>(
    _ type: U.Type = U.self, format: PropertyListFormat = .binary
  ) -> some ReadableStorage<Key, U> & WritableStorage<Key, U> {
    mapData("mapPlistObject(\(type))", .propertyList(type, format: format))
  }
}

extension StorageAware where Value == Data {
  /// The bytes of this store as any property list, written in a format; both are read.
  ///
  /// Bytes that are none throw `.typeNotMatch` with the key and the reason, and stay as they are.
  ///
  /// Foundation's options for reading and writing have no counterpart: they choose between mutable and immutable objects,
  /// and values need no such choice.
  ///
  /// What has no array or dictionary at its top is stored as an array of one, as `Transformer.propertyList` says.
  @inlinable
  public func mapPlist(
    format: PropertyListFormat = .binary
  ) -> some StorageAware<Key, PlistValue> {
    mapData("mapPlist", .propertyList(PlistValue.self, format: format))
  }

  /// The bytes of this store as property lists that are dictionaries.
  ///
  /// As `mapPlist(format:)`, and anything but a dictionary at the top throws too.
  @inlinable
  public func mapPlistDictionary(
    format: PropertyListFormat = .binary
  ) -> some StorageAware<Key, [String: PlistValue]> {
    mapData("mapPlistDictionary", .propertyList([String: PlistValue].self, format: format))
  }

  /// The bytes of this store as a type, in property lists.
  ///
  /// Bytes that are none throw `.typeNotMatch` with the key and the reason, and stay as they are.
  @inlinable
  public func mapPlistObject<U: Codable & Sendable>(
    _ type: U.Type = U.self, format: PropertyListFormat = .binary
  ) -> some StorageAware<Key, U> {
    mapData("mapPlistObject(\(type))", .propertyList(type, format: format))
  }
}

extension SyncStorageAware where Value == Data {
  /// The bytes of this store as any property list, written in a format; both are read.
  @inlinable
  public func mapPlist(
    format: PropertyListFormat = .binary
  ) -> some SyncStorageAware<Key, PlistValue> {
    mapData("mapPlist", .propertyList(PlistValue.self, format: format))
  }

  /// The bytes of this store as property lists that are dictionaries.
  @inlinable
  public func mapPlistDictionary(
    format: PropertyListFormat = .binary
  ) -> some SyncStorageAware<Key, [String: PlistValue]> {
    mapData("mapPlistDictionary", .propertyList([String: PlistValue].self, format: format))
  }

  /// The bytes of this store as a type, in property lists.
  @inlinable
  public func mapPlistObject<U: Codable & Sendable>(
    _ type: U.Type = U.self, format: PropertyListFormat = .binary
  ) -> some SyncStorageAware<Key, U> {
    mapData("mapPlistObject(\(type))", .propertyList(type, format: format))
  }
}
