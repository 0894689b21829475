#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

// Views of a byte store as property lists, for each kind of store: see MapData.swift.

extension Transformer where Value: Codable {
  /// Property lists in the format of the encoder or, without one, in a format.
  static func plist(
    _ type: Value.Type, _ format: PropertyListFormat, _ encoder: PropertyListEncoder?,
    _ decoder: PropertyListDecoder
  ) -> Self {
    .propertyList(type, encoder: encoder ?? format.encoder, decoder: decoder)
  }
}

extension ReadableStorage where Value == Data {
  /// Returns a store that reads the bytes of this store as any property list. The format is detected.
  ///
  /// ```swift
  /// let settings = disk.mapPlist()
  /// let theme = try await settings.retrieve(forKey: "settings")["theme"]?.string
  /// ```
  public func mapPlist(decoder: PropertyListDecoder = PropertyListDecoder()) -> some ReadableStorage<
    Key, PlistValue
  > {
    mapData("mapPlist", .plist(PlistValue.self, .binary, nil, decoder))
  }

  /// Returns a store that reads the bytes of this store as property lists that are dictionaries.
  public func mapPlistDictionary(decoder: PropertyListDecoder = PropertyListDecoder())
    -> some ReadableStorage<Key, [String: PlistValue]>
  {
    mapData("mapPlistDictionary", .plist([String: PlistValue].self, .binary, nil, decoder))
  }

  /// Returns a store that reads values of a type from the property lists in this store.
  public func mapPlistObject<U: Codable & Sendable>(
    _ type: U.Type = U.self, decoder: PropertyListDecoder = PropertyListDecoder()
  ) -> some ReadableStorage<Key, U> {
    mapData("mapPlistObject(\(type))", .plist(type, .binary, nil, decoder))
  }
}

extension WritableStorage where Value == Data {
  /// Returns a store that writes any property list to this store as bytes.
  public func mapPlist(
    format: PropertyListFormat = .binary, encoder: PropertyListEncoder? = nil
  ) -> some WritableStorage<Key, PlistValue> {
    mapData("mapPlist", .plist(PlistValue.self, format, encoder, PropertyListDecoder()))
  }

  /// Returns a store that writes dictionaries to this store as property lists.
  public func mapPlistDictionary(
    format: PropertyListFormat = .binary, encoder: PropertyListEncoder? = nil
  ) -> some WritableStorage<Key, [String: PlistValue]> {
    mapData("mapPlistDictionary", .plist([String: PlistValue].self, format, encoder, PropertyListDecoder()))
  }

  /// Returns a store that writes values of a type to this store as property lists.
  public func mapPlistObject<U: Codable & Sendable>(
    _ type: U.Type = U.self, format: PropertyListFormat = .binary, encoder: PropertyListEncoder? = nil
  ) -> some WritableStorage<Key, U> {
    mapData("mapPlistObject(\(type))", .plist(type, format, encoder, PropertyListDecoder()))
  }
}

extension ReadableStorage where Self: WritableStorage, Value == Data {
  /// Returns a view of this byte store as any property list. It writes `format` and reads both formats.
  public func mapPlist(
    format: PropertyListFormat = .binary, decoder: PropertyListDecoder = PropertyListDecoder(),
    encoder: PropertyListEncoder? = nil
  ) -> some ReadWriteStorage<Key, PlistValue> {
    mapData("mapPlist", .plist(PlistValue.self, format, encoder, decoder))
  }

  /// Returns a view of this byte store as property lists that are dictionaries.
  public func mapPlistDictionary(
    format: PropertyListFormat = .binary, decoder: PropertyListDecoder = PropertyListDecoder(),
    encoder: PropertyListEncoder? = nil
  ) -> some ReadWriteStorage<Key, [String: PlistValue]> {
    mapData("mapPlistDictionary", .plist([String: PlistValue].self, format, encoder, decoder))
  }

  /// Returns a view of this byte store as a type, in property lists.
  public func mapPlistObject<U: Codable & Sendable>(
    _ type: U.Type = U.self, format: PropertyListFormat = .binary,
    decoder: PropertyListDecoder = PropertyListDecoder(),
    encoder: PropertyListEncoder? = nil
  ) -> some ReadWriteStorage<Key, U> {
    mapData("mapPlistObject(\(type))", .plist(type, format, encoder, decoder))
  }

  /// Returns a view of this byte store as a type, in property lists; see `mapPlistObject(_:format:decoder:encoder:)`.
  public func mapPlistObject<U: Codable & Sendable>(
    _ type: U.Type = U.self, encoder: PropertyListEncoder, decoder: PropertyListDecoder
  ) -> some ReadWriteStorage<Key, U> {
    mapPlistObject(type, decoder: decoder, encoder: encoder)
  }
}

extension StorageAware where Value == Data {
  /// Returns a view of this byte store as any property list. It writes `format` and reads both formats.
  ///
  /// Bytes that cannot be decoded throw `.typeNotMatch` with the key and the reason; the bytes do not change.
  ///
  /// There is no counterpart to Foundation's options for reading and writing: they choose between mutable and immutable
  /// objects, and these values need no such choice.
  ///
  /// An encoder of your own has its own format, so `format` is ignored. Coders are used on any thread, also
  /// concurrently: do not change them after this call.
  ///
  /// A value whose root is neither an array nor a dictionary is stored as an array of one element; see
  /// `Transformer.propertyList`.
  public func mapPlist(
    format: PropertyListFormat = .binary, decoder: PropertyListDecoder = PropertyListDecoder(),
    encoder: PropertyListEncoder? = nil
  ) -> some StorageAware<Key, PlistValue> {
    mapData("mapPlist", .plist(PlistValue.self, format, encoder, decoder))
  }

  /// Returns a view of this byte store as property lists that are dictionaries.
  ///
  /// Like `mapPlist(format:)`, but any property list other than a dictionary throws too.
  public func mapPlistDictionary(
    format: PropertyListFormat = .binary, decoder: PropertyListDecoder = PropertyListDecoder(),
    encoder: PropertyListEncoder? = nil
  ) -> some StorageAware<Key, [String: PlistValue]> {
    mapData("mapPlistDictionary", .plist([String: PlistValue].self, format, encoder, decoder))
  }

  /// Returns a view of this byte store as a type, in property lists.
  ///
  /// Bytes that cannot be decoded throw `.typeNotMatch` with the key and the reason; the bytes do not change. For
  /// `format` and the coders see `mapPlist`.
  public func mapPlistObject<U: Codable & Sendable>(
    _ type: U.Type = U.self, format: PropertyListFormat = .binary,
    decoder: PropertyListDecoder = PropertyListDecoder(),
    encoder: PropertyListEncoder? = nil
  ) -> some StorageAware<Key, U> {
    mapData("mapPlistObject(\(type))", .plist(type, format, encoder, decoder))
  }

  /// Returns a view of this byte store as a type, in property lists; see `mapPlistObject(_:format:decoder:encoder:)`.
  public func mapPlistObject<U: Codable & Sendable>(
    _ type: U.Type = U.self, encoder: PropertyListEncoder, decoder: PropertyListDecoder
  ) -> some StorageAware<Key, U> {
    mapPlistObject(type, decoder: decoder, encoder: encoder)
  }
}

extension SyncStorageAware where Value == Data {
  /// Returns a view of this byte store as any property list. It writes `format` and reads both formats.
  public func mapPlist(
    format: PropertyListFormat = .binary, decoder: PropertyListDecoder = PropertyListDecoder(),
    encoder: PropertyListEncoder? = nil
  ) -> some SyncStorageAware<Key, PlistValue> {
    mapData("mapPlist", .plist(PlistValue.self, format, encoder, decoder))
  }

  /// Returns a view of this byte store as property lists that are dictionaries.
  public func mapPlistDictionary(
    format: PropertyListFormat = .binary, decoder: PropertyListDecoder = PropertyListDecoder(),
    encoder: PropertyListEncoder? = nil
  ) -> some SyncStorageAware<Key, [String: PlistValue]> {
    mapData("mapPlistDictionary", .plist([String: PlistValue].self, format, encoder, decoder))
  }

  /// Returns a view of this byte store as a type, in property lists.
  public func mapPlistObject<U: Codable & Sendable>(
    _ type: U.Type = U.self, format: PropertyListFormat = .binary,
    decoder: PropertyListDecoder = PropertyListDecoder(),
    encoder: PropertyListEncoder? = nil
  ) -> some SyncStorageAware<Key, U> {
    mapData("mapPlistObject(\(type))", .plist(type, format, encoder, decoder))
  }

  /// Returns a view of this byte store as a type, in property lists; see `mapPlistObject(_:format:decoder:encoder:)`.
  public func mapPlistObject<U: Codable & Sendable>(
    _ type: U.Type = U.self, encoder: PropertyListEncoder, decoder: PropertyListDecoder
  ) -> some SyncStorageAware<Key, U> {
    mapPlistObject(type, decoder: decoder, encoder: encoder)
  }
}
