#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension ReadableStorage where Value == Data {
  /// The bytes of this store read as any property list; its format is found out.
  @inlinable
  public func mapPlist(decoder: PropertyListDecoder = PropertyListDecoder()) -> some ReadableStorage<
    Key, PlistValue
  > {
    mapData("mapPlist", .propertyList(PlistValue.self, encoder: PropertyListEncoder(), decoder: decoder))
  }

  /// The bytes of this store read as property lists that are dictionaries.
  @inlinable
  public func mapPlistDictionary(decoder: PropertyListDecoder = PropertyListDecoder())
    -> some ReadableStorage<Key, [String: PlistValue]>
  {
    mapData(
      "mapPlistDictionary",
      .propertyList([String: PlistValue].self, encoder: PropertyListEncoder(), decoder: decoder))
  }

  /// The bytes of this store read as a type, from property lists.
  @inlinable
  public func mapPlistObject<U: Codable & Sendable>(
    _ type: U.Type = U.self, decoder: PropertyListDecoder = PropertyListDecoder()
  ) -> some ReadableStorage<Key, U> {
    mapData("mapPlistObject(\(type))", .propertyList(type, encoder: PropertyListEncoder(), decoder: decoder))
  }
}

extension WritableStorage where Value == Data {
  /// Any property list written to this store as bytes.
  @inlinable
  public func mapPlist(
    format: PropertyListFormat = .binary, encoder: PropertyListEncoder? = nil
  ) -> some WritableStorage<Key, PlistValue> {
    mapData(
      "mapPlist",
      .propertyList(PlistValue.self, encoder: encoder ?? format.encoder, decoder: PropertyListDecoder()))
  }

  /// Dictionaries written to this store as property lists.
  @inlinable
  public func mapPlistDictionary(
    format: PropertyListFormat = .binary, encoder: PropertyListEncoder? = nil
  ) -> some WritableStorage<Key, [String: PlistValue]> {
    mapData(
      "mapPlistDictionary",
      .propertyList(
        [String: PlistValue].self, encoder: encoder ?? format.encoder, decoder: PropertyListDecoder()))
  }

  /// Values of a type written to this store as property lists.
  @inlinable
  public func mapPlistObject<U: Codable & Sendable>(
    _ type: U.Type = U.self, format: PropertyListFormat = .binary, encoder: PropertyListEncoder? = nil
  ) -> some WritableStorage<Key, U> {
    mapData(
      "mapPlistObject(\(type))",
      .propertyList(type, encoder: encoder ?? format.encoder, decoder: PropertyListDecoder()))
  }
}

extension ReadableStorage where Self: WritableStorage, Value == Data {
  /// The bytes of this store as any property list, written in a format; both are read.
  @inlinable
  public func mapPlist(
    format: PropertyListFormat = .binary, decoder: PropertyListDecoder = PropertyListDecoder(),
    encoder: PropertyListEncoder? = nil
  ) -> some ReadWriteStorage<Key, PlistValue> {
    mapData("mapPlist", .propertyList(PlistValue.self, encoder: encoder ?? format.encoder, decoder: decoder))
  }

  /// The bytes of this store as property lists that are dictionaries.
  @inlinable
  public func mapPlistDictionary(
    format: PropertyListFormat = .binary, decoder: PropertyListDecoder = PropertyListDecoder(),
    encoder: PropertyListEncoder? = nil
  ) -> some ReadWriteStorage<Key, [String: PlistValue]> {
    mapData(
      "mapPlistDictionary",
      .propertyList([String: PlistValue].self, encoder: encoder ?? format.encoder, decoder: decoder))
  }

  /// The bytes of this store as a type, in property lists.
  @inlinable
  public func mapPlistObject<U: Codable & Sendable>(
    _ type: U.Type = U.self, format: PropertyListFormat = .binary,
    decoder: PropertyListDecoder = PropertyListDecoder(),
    encoder: PropertyListEncoder? = nil
  ) -> some ReadWriteStorage<Key, U> {
    mapData(
      "mapPlistObject(\(type))", .propertyList(type, encoder: encoder ?? format.encoder, decoder: decoder))
  }
}

extension StorageAware where Value == Data {
  /// The bytes of this store as any property list, written in a format; both are read.
  ///
  /// Bytes that are none throw `.typeNotMatch` with the key and the reason, and stay as they are.
  ///
  /// Foundation's options for reading and writing have no counterpart: they choose between mutable and immutable
  /// objects, and values need no such choice.
  ///
  /// An encoder of your own brings its own format, and `format` does not count. Coders are used on any thread, also at
  /// the same time: set them up before and leave them as they are.
  ///
  /// What has no array or dictionary at its top is stored as an array of one, as `Transformer.propertyList` says.
  @inlinable
  public func mapPlist(
    format: PropertyListFormat = .binary, decoder: PropertyListDecoder = PropertyListDecoder(),
    encoder: PropertyListEncoder? = nil
  ) -> some StorageAware<Key, PlistValue> {
    mapData("mapPlist", .propertyList(PlistValue.self, encoder: encoder ?? format.encoder, decoder: decoder))
  }

  /// The bytes of this store as property lists that are dictionaries.
  ///
  /// As `mapPlist(format:)`, and anything but a dictionary at the top throws too.
  @inlinable
  public func mapPlistDictionary(
    format: PropertyListFormat = .binary, decoder: PropertyListDecoder = PropertyListDecoder(),
    encoder: PropertyListEncoder? = nil
  ) -> some StorageAware<Key, [String: PlistValue]> {
    mapData(
      "mapPlistDictionary",
      .propertyList([String: PlistValue].self, encoder: encoder ?? format.encoder, decoder: decoder))
  }

  /// The bytes of this store as a type, in property lists.
  ///
  /// Bytes that are none throw `.typeNotMatch` with the key and the reason, and stay as they are. See `mapPlist` for
  /// what `format` and the coders say.
  @inlinable
  public func mapPlistObject<U: Codable & Sendable>(
    _ type: U.Type = U.self, format: PropertyListFormat = .binary,
    decoder: PropertyListDecoder = PropertyListDecoder(),
    encoder: PropertyListEncoder? = nil
  ) -> some StorageAware<Key, U> {
    mapData(
      "mapPlistObject(\(type))", .propertyList(type, encoder: encoder ?? format.encoder, decoder: decoder))
  }
}

extension SyncStorageAware where Value == Data {
  /// The bytes of this store as any property list, written in a format; both are read.
  @inlinable
  public func mapPlist(
    format: PropertyListFormat = .binary, decoder: PropertyListDecoder = PropertyListDecoder(),
    encoder: PropertyListEncoder? = nil
  ) -> some SyncStorageAware<Key, PlistValue> {
    mapData("mapPlist", .propertyList(PlistValue.self, encoder: encoder ?? format.encoder, decoder: decoder))
  }

  /// The bytes of this store as property lists that are dictionaries.
  @inlinable
  public func mapPlistDictionary(
    format: PropertyListFormat = .binary, decoder: PropertyListDecoder = PropertyListDecoder(),
    encoder: PropertyListEncoder? = nil
  ) -> some SyncStorageAware<Key, [String: PlistValue]> {
    mapData(
      "mapPlistDictionary",
      .propertyList([String: PlistValue].self, encoder: encoder ?? format.encoder, decoder: decoder))
  }

  /// The bytes of this store as a type, in property lists.
  @inlinable
  public func mapPlistObject<U: Codable & Sendable>(
    _ type: U.Type = U.self, format: PropertyListFormat = .binary,
    decoder: PropertyListDecoder = PropertyListDecoder(),
    encoder: PropertyListEncoder? = nil
  ) -> some SyncStorageAware<Key, U> {
    mapData(
      "mapPlistObject(\(type))", .propertyList(type, encoder: encoder ?? format.encoder, decoder: decoder))
  }
}
