#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

// Views of a byte store as other values: text, JSON and property lists, for each kind of store. Reading decodes the
// bytes, so `peek` returns `nil`.

extension Transformer {
  /// A function that decodes stored bytes. It throws `.typeNotMatch` if they cannot be decoded as `Value`.
  @usableFromInline
  var decoded: @Sendable (Data) throws -> Value {
    { [fromData] data in
      do { return try fromData(data) } catch {
        throw StorageError.typeNotMatch.with("the stored bytes cannot be read as \(Value.self)", cause: error)
      }
    }
  }
}

extension Transformer where Value: Codable {
  /// Property lists in the format of the encoder or, without one, in a format.
  @usableFromInline
  static func plist(
    _ type: Value.Type, _ format: PropertyListFormat, _ encoder: PropertyListEncoder?,
    _ decoder: PropertyListDecoder
  ) -> Self {
    .propertyList(type, encoder: encoder ?? format.encoder, decoder: decoder)
  }
}

extension ReadableStorage where Value == Data {
  @inlinable
  func mapData<U>(_ name: String, _ transformer: Transformer<U>) -> some ReadableStorage<Key, U> {
    ReadMappedValues(self, name, guarding(transformer).decoded)
  }

  /// Returns a store that reads the bytes of this store as text.
  ///
  /// ```swift
  /// let notes = disk.mapString()
  /// try await notes.set("Meet at noon.", forKey: "monday")
  /// ```
  @inlinable
  public func mapString(withEncoding encoding: String.Encoding = .utf8) -> some ReadableStorage<Key, String> {
    mapData("mapString", .string(encoding))
  }

  /// Returns a store that reads the bytes of this store as any JSON.
  ///
  /// ```swift
  /// let documents = disk.mapJSON()
  /// let founded = try await documents.retrieve(forKey: "kharkiv")["founded"]?.int
  /// ```
  @inlinable
  public func mapJSON(decoder: JSONDecoder = JSONDecoder()) -> some ReadableStorage<Key, JSONValue> {
    mapData("mapJSON", .codable(JSONValue.self, encoder: JSONEncoder(), decoder: decoder))
  }

  /// Returns a store that reads the bytes of this store as JSON objects.
  @inlinable
  public func mapJSONDictionary(decoder: JSONDecoder = JSONDecoder()) -> some ReadableStorage<
    Key, [String: JSONValue]
  > {
    mapData("mapJSONDictionary", .codable([String: JSONValue].self, encoder: JSONEncoder(), decoder: decoder))
  }

  /// Returns a store that reads values of a type from the JSON bytes of this store.
  @inlinable
  public func mapJSONObject<U: Codable & Sendable>(
    _ type: U.Type = U.self, decoder: JSONDecoder = JSONDecoder()
  ) -> some ReadableStorage<Key, U> {
    mapData("mapJSONObject(\(type))", .codable(type, encoder: JSONEncoder(), decoder: decoder))
  }

  /// Returns a store that reads the bytes of this store as any property list. The format is detected.
  ///
  /// ```swift
  /// let settings = disk.mapPlist()
  /// let theme = try await settings.retrieve(forKey: "settings")["theme"]?.string
  /// ```
  @inlinable
  public func mapPlist(decoder: PropertyListDecoder = PropertyListDecoder()) -> some ReadableStorage<
    Key, PlistValue
  > {
    mapData("mapPlist", .plist(PlistValue.self, .binary, nil, decoder))
  }

  /// Returns a store that reads the bytes of this store as property lists that are dictionaries.
  @inlinable
  public func mapPlistDictionary(decoder: PropertyListDecoder = PropertyListDecoder())
    -> some ReadableStorage<Key, [String: PlistValue]>
  {
    mapData("mapPlistDictionary", .plist([String: PlistValue].self, .binary, nil, decoder))
  }

  /// Returns a store that reads values of a type from the property lists in this store.
  @inlinable
  public func mapPlistObject<U: Codable & Sendable>(
    _ type: U.Type = U.self, decoder: PropertyListDecoder = PropertyListDecoder()
  ) -> some ReadableStorage<Key, U> {
    mapData("mapPlistObject(\(type))", .plist(type, .binary, nil, decoder))
  }
}

extension WritableStorage where Value == Data {
  @inlinable
  func mapData<U>(_ name: String, _ transformer: Transformer<U>) -> some WritableStorage<Key, U> {
    WriteMappedValues(self, name, guarding(transformer).toData)
  }

  /// Returns a store that writes text to this store as bytes.
  @inlinable
  public func mapString(withEncoding encoding: String.Encoding = .utf8) -> some WritableStorage<Key, String> {
    mapData("mapString", .string(encoding))
  }

  /// Returns a store that writes any JSON to this store as bytes.
  @inlinable
  public func mapJSON(encoder: JSONEncoder = JSONEncoder()) -> some WritableStorage<Key, JSONValue> {
    mapData("mapJSON", .codable(JSONValue.self, encoder: encoder, decoder: JSONDecoder()))
  }

  /// Returns a store that writes JSON objects to this store as bytes.
  @inlinable
  public func mapJSONDictionary(encoder: JSONEncoder = JSONEncoder()) -> some WritableStorage<
    Key, [String: JSONValue]
  > {
    mapData("mapJSONDictionary", .codable([String: JSONValue].self, encoder: encoder, decoder: JSONDecoder()))
  }

  /// Returns a store that writes values of a type to this store as JSON.
  @inlinable
  public func mapJSONObject<U: Codable & Sendable>(
    _ type: U.Type = U.self, encoder: JSONEncoder = JSONEncoder()
  ) -> some WritableStorage<Key, U> {
    mapData("mapJSONObject(\(type))", .codable(type, encoder: encoder, decoder: JSONDecoder()))
  }

  /// Returns a store that writes any property list to this store as bytes.
  @inlinable
  public func mapPlist(
    format: PropertyListFormat = .binary, encoder: PropertyListEncoder? = nil
  ) -> some WritableStorage<Key, PlistValue> {
    mapData("mapPlist", .plist(PlistValue.self, format, encoder, PropertyListDecoder()))
  }

  /// Returns a store that writes dictionaries to this store as property lists.
  @inlinable
  public func mapPlistDictionary(
    format: PropertyListFormat = .binary, encoder: PropertyListEncoder? = nil
  ) -> some WritableStorage<Key, [String: PlistValue]> {
    mapData("mapPlistDictionary", .plist([String: PlistValue].self, format, encoder, PropertyListDecoder()))
  }

  /// Returns a store that writes values of a type to this store as property lists.
  @inlinable
  public func mapPlistObject<U: Codable & Sendable>(
    _ type: U.Type = U.self, format: PropertyListFormat = .binary, encoder: PropertyListEncoder? = nil
  ) -> some WritableStorage<Key, U> {
    mapData("mapPlistObject(\(type))", .plist(type, format, encoder, PropertyListDecoder()))
  }
}

extension ReadableStorage where Self: WritableStorage, Value == Data {
  @inlinable
  func mapData<U>(_ name: String, _ transformer: Transformer<U>) -> some ReadWriteStorage<Key, U> {
    let transformer = guarding(transformer)
    return AsyncMappedValues(self, name, mapTo: transformer.decoded, mapFrom: transformer.toData)
  }

  /// Returns a view of this byte store as text.
  @inlinable
  public func mapString(withEncoding encoding: String.Encoding = .utf8) -> some ReadWriteStorage<Key, String>
  {
    mapData("mapString", .string(encoding))
  }

  /// Returns a view of this byte store as any JSON.
  @inlinable
  public func mapJSON(decoder: JSONDecoder = JSONDecoder(), encoder: JSONEncoder = JSONEncoder())
    -> some ReadWriteStorage<Key, JSONValue>
  {
    mapData("mapJSON", .codable(JSONValue.self, encoder: encoder, decoder: decoder))
  }

  /// Returns a view of this byte store as JSON objects.
  @inlinable
  public func mapJSONDictionary(decoder: JSONDecoder = JSONDecoder(), encoder: JSONEncoder = JSONEncoder())
    -> some ReadWriteStorage<Key, [String: JSONValue]>
  {
    mapData("mapJSONDictionary", .codable([String: JSONValue].self, encoder: encoder, decoder: decoder))
  }

  /// Returns a view of this byte store as a type, in JSON.
  @inlinable
  public func mapJSONObject<U: Codable & Sendable>(
    _ type: U.Type = U.self, decoder: JSONDecoder = JSONDecoder(), encoder: JSONEncoder = JSONEncoder()
  ) -> some ReadWriteStorage<Key, U> {
    mapData("mapJSONObject(\(type))", .codable(type, encoder: encoder, decoder: decoder))
  }

  /// Returns a view of this byte store as any property list. It writes `format` and reads both formats.
  @inlinable
  public func mapPlist(
    format: PropertyListFormat = .binary, decoder: PropertyListDecoder = PropertyListDecoder(),
    encoder: PropertyListEncoder? = nil
  ) -> some ReadWriteStorage<Key, PlistValue> {
    mapData("mapPlist", .plist(PlistValue.self, format, encoder, decoder))
  }

  /// Returns a view of this byte store as property lists that are dictionaries.
  @inlinable
  public func mapPlistDictionary(
    format: PropertyListFormat = .binary, decoder: PropertyListDecoder = PropertyListDecoder(),
    encoder: PropertyListEncoder? = nil
  ) -> some ReadWriteStorage<Key, [String: PlistValue]> {
    mapData("mapPlistDictionary", .plist([String: PlistValue].self, format, encoder, decoder))
  }

  /// Returns a view of this byte store as a type, in property lists.
  @inlinable
  public func mapPlistObject<U: Codable & Sendable>(
    _ type: U.Type = U.self, format: PropertyListFormat = .binary,
    decoder: PropertyListDecoder = PropertyListDecoder(),
    encoder: PropertyListEncoder? = nil
  ) -> some ReadWriteStorage<Key, U> {
    mapData("mapPlistObject(\(type))", .plist(type, format, encoder, decoder))
  }

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
  @inlinable
  func mapData<U>(_ name: String, _ transformer: Transformer<U>) -> some StorageAware<Key, U> {
    let transformer = guarding(transformer)
    return MappedValues(self, name, decodes: true, mapTo: transformer.decoded, mapFrom: transformer.toData)
  }

  /// Returns a view of this byte store as text.
  ///
  /// Bytes that cannot be decoded throw `.typeNotMatch` with the key and the reason; the bytes do not change.
  @inlinable
  public func mapString(withEncoding encoding: String.Encoding = .utf8) -> some StorageAware<Key, String> {
    mapData("mapString", .string(encoding))
  }

  /// Returns a view of this byte store as any JSON.
  ///
  /// Bytes that are not valid JSON throw `.typeNotMatch` with the key and the reason; the bytes do not change. For JSON
  /// of a known shape, `mapJSONObject(_:)` is several times faster.
  ///
  /// Coders of your own are used on any thread, also concurrently: do not change them after this call.
  @inlinable
  public func mapJSON(decoder: JSONDecoder = JSONDecoder(), encoder: JSONEncoder = JSONEncoder())
    -> some StorageAware<Key, JSONValue>
  {
    mapData("mapJSON", .codable(JSONValue.self, encoder: encoder, decoder: decoder))
  }

  /// Returns a view of this byte store as JSON objects.
  ///
  /// Like `mapJSON()`, but any JSON other than an object throws too.
  @inlinable
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
  @inlinable
  public func mapJSONObject<U: Codable & Sendable>(
    _ type: U.Type = U.self, decoder: JSONDecoder = JSONDecoder(), encoder: JSONEncoder = JSONEncoder()
  ) -> some StorageAware<Key, U> {
    mapData("mapJSONObject(\(type))", .codable(type, encoder: encoder, decoder: decoder))
  }

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
  @inlinable
  public func mapPlist(
    format: PropertyListFormat = .binary, decoder: PropertyListDecoder = PropertyListDecoder(),
    encoder: PropertyListEncoder? = nil
  ) -> some StorageAware<Key, PlistValue> {
    mapData("mapPlist", .plist(PlistValue.self, format, encoder, decoder))
  }

  /// Returns a view of this byte store as property lists that are dictionaries.
  ///
  /// Like `mapPlist(format:)`, but any property list other than a dictionary throws too.
  @inlinable
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
  @inlinable
  public func mapPlistObject<U: Codable & Sendable>(
    _ type: U.Type = U.self, format: PropertyListFormat = .binary,
    decoder: PropertyListDecoder = PropertyListDecoder(),
    encoder: PropertyListEncoder? = nil
  ) -> some StorageAware<Key, U> {
    mapData("mapPlistObject(\(type))", .plist(type, format, encoder, decoder))
  }

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
  @inlinable
  func mapData<U>(_ name: String, _ transformer: Transformer<U>) -> some SyncStorageAware<Key, U> {
    let transformer = guarding(transformer)
    return MappedValues(self, name, decodes: true, mapTo: transformer.decoded, mapFrom: transformer.toData)
  }

  /// Returns a view of this byte store as text.
  @inlinable
  public func mapString(withEncoding encoding: String.Encoding = .utf8) -> some SyncStorageAware<Key, String>
  {
    mapData("mapString", .string(encoding))
  }

  /// Returns a view of this byte store as any JSON.
  @inlinable
  public func mapJSON(decoder: JSONDecoder = JSONDecoder(), encoder: JSONEncoder = JSONEncoder())
    -> some SyncStorageAware<Key, JSONValue>
  {
    mapData("mapJSON", .codable(JSONValue.self, encoder: encoder, decoder: decoder))
  }

  /// Returns a view of this byte store as JSON objects.
  @inlinable
  public func mapJSONDictionary(decoder: JSONDecoder = JSONDecoder(), encoder: JSONEncoder = JSONEncoder())
    -> some SyncStorageAware<Key, [String: JSONValue]>
  {
    mapData("mapJSONDictionary", .codable([String: JSONValue].self, encoder: encoder, decoder: decoder))
  }

  /// Returns a view of this byte store as a type, in JSON.
  @inlinable
  public func mapJSONObject<U: Codable & Sendable>(
    _ type: U.Type = U.self, decoder: JSONDecoder = JSONDecoder(), encoder: JSONEncoder = JSONEncoder()
  ) -> some SyncStorageAware<Key, U> {
    mapData("mapJSONObject(\(type))", .codable(type, encoder: encoder, decoder: decoder))
  }

  /// Returns a view of this byte store as any property list. It writes `format` and reads both formats.
  @inlinable
  public func mapPlist(
    format: PropertyListFormat = .binary, decoder: PropertyListDecoder = PropertyListDecoder(),
    encoder: PropertyListEncoder? = nil
  ) -> some SyncStorageAware<Key, PlistValue> {
    mapData("mapPlist", .plist(PlistValue.self, format, encoder, decoder))
  }

  /// Returns a view of this byte store as property lists that are dictionaries.
  @inlinable
  public func mapPlistDictionary(
    format: PropertyListFormat = .binary, decoder: PropertyListDecoder = PropertyListDecoder(),
    encoder: PropertyListEncoder? = nil
  ) -> some SyncStorageAware<Key, [String: PlistValue]> {
    mapData("mapPlistDictionary", .plist([String: PlistValue].self, format, encoder, decoder))
  }

  /// Returns a view of this byte store as a type, in property lists.
  @inlinable
  public func mapPlistObject<U: Codable & Sendable>(
    _ type: U.Type = U.self, format: PropertyListFormat = .binary,
    decoder: PropertyListDecoder = PropertyListDecoder(),
    encoder: PropertyListEncoder? = nil
  ) -> some SyncStorageAware<Key, U> {
    mapData("mapPlistObject(\(type))", .plist(type, format, encoder, decoder))
  }

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
