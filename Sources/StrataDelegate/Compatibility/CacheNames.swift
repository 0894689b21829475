#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataAlgebra

// The names of Cache by hyperoslo, for programs that migrate from it. Each refers to its name in Strata.

extension StorageAware {
  /// Returns whether the key has a value that has not expired.
  @available(*, deprecated, renamed: "objectExists(forKey:)")
  public func existsObject(forKey key: Key) async throws -> Bool { try await objectExists(forKey: key) }

  /// Removes the expired entries of all keys.
  @available(
    *, deprecated,
    message: "expired values are never returned; `removeExpiredObjects()` removes them for all keys",
    renamed: "removeExpiredObjects()"
  )
  public func removeObjectIfExpired(forKey key: Key) async throws { try await removeExpiredObjects() }
}

extension SyncStorageAware {
  /// Returns whether the key has a value that has not expired.
  @available(*, deprecated, renamed: "objectExists(forKey:)")
  public func existsObject(forKey key: Key) throws -> Bool { try objectExists(forKey: key) }

  /// Removes the expired entries of all keys.
  @available(
    *, deprecated,
    message: "expired values are never returned; `removeExpiredObjects()` removes them for all keys",
    renamed: "removeExpiredObjects()"
  )
  public func removeObjectIfExpired(forKey key: Key) throws { try removeExpiredObjects() }
}

extension StorageAware where Value == Data {
  /// Returns a view of this byte store as another type.
  @available(*, deprecated, renamed: "transform(to:)")
  public func transform<U: Sendable>(transformer: Transformer<U>) -> some StorageAware<Key, U> {
    transform(to: transformer)
  }
}

extension SyncStorageAware where Value == Data {
  /// Returns a view of this byte store as another type.
  @available(*, deprecated, renamed: "transform(to:)")
  public func transform<U: Sendable>(transformer: Transformer<U>) -> some SyncStorageAware<Key, U> {
    transform(to: transformer)
  }
}

extension TypeWrapperStorage {
  /// Returns a view of the same store as another type.
  @available(*, deprecated, renamed: "transform(to:)")
  public func transform<U>(transformer: Transformer<U>) -> TypeWrapperStorage<Inner, U> {
    transform(to: transformer)
  }
}

extension HybridStorage {
  /// Creates a store of two tiers.
  @available(*, deprecated, renamed: "init(front:back:)")
  public init(memoryStorage: Front, diskStorage: Back) { self.init(front: memoryStorage, back: diskStorage) }

  /// The tier that is read first.
  @available(*, deprecated, renamed: "front")
  public var memoryStorage: Front { front }

  /// The authoritative tier.
  @available(*, deprecated, renamed: "back")
  public var diskStorage: Back { back }
}

extension Date {
  /// Whether the date has been reached.
  @available(
    *, deprecated, message: "use `Expiry.isExpired`, or compare the date with `Date()`",
    renamed: "Expiry.isExpired"
  )
  public var inThePast: Bool { Expiry.date(self).isExpired }
}

extension JSONDecoder {
  /// Decodes a value from JSON text.
  ///
  /// ```swift
  /// let user = try JSONDecoder.decode(#"{"name": "Ada"}"#, to: User.self)
  /// ```
  public static func decode<T: Decodable>(_ text: String, to type: T.Type) throws -> T {
    try JSONDecoder().decode(type, from: Data(text.utf8))
  }

  /// Decodes a value from JSON.
  public static func decode<T: Decodable>(_ data: Data, to type: T.Type) throws -> T {
    try JSONDecoder().decode(type, from: data)
  }

  /// Decodes a value from a JSON object, which is encoded as JSON and decoded again.
  ///
  /// For a `[String: Any]` of `JSONSerialization`, decode the data from which it was read.
  public static func decode<T: Decodable>(_ object: [String: JSONValue], to type: T.Type) throws -> T {
    try JSONDecoder().decode(type, from: JSONEncoder().encode(object))
  }
}

/// A JSON object as Cache by hyperoslo stores it: its bytes inside another object.
///
/// ```swift
/// let documents = users.transform(to: JSONDictionaryWrapper.self)
/// let visits = try documents.object(forKey: "ada").jsonDictionary["visits"]?.int
/// ```
///
/// It is compatible with Cache in both directions. `JSONValue` is `Codable` itself: a new program stores it, or a type
/// of its own.
public struct JSONDictionaryWrapper: Codable, Hashable, Sendable {
  /// The object.
  public let jsonDictionary: [String: JSONValue]

  /// Creates a wrapper of an object.
  public init(jsonDictionary: [String: JSONValue]) { self.jsonDictionary = jsonDictionary }

  private enum CodingKeys: CodingKey { case jsonDictionary }

  /// Decodes a wrapped object. Throws if the bytes inside are no JSON object.
  public init(from decoder: any Decoder) throws {
    let bytes = try decoder.container(keyedBy: CodingKeys.self).decode(Data.self, forKey: .jsonDictionary)
    jsonDictionary = try JSONDecoder().decode([String: JSONValue].self, from: bytes)
  }

  /// Encodes the object's bytes inside another object.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(JSONEncoder().encode(jsonDictionary), forKey: .jsonDictionary)
  }
}

/// A list of JSON objects as Cache by hyperoslo stores it: its bytes inside an object.
///
/// ```swift
/// let lists = users.transform(to: JSONArrayWrapper.self)
/// let first = try lists.object(forKey: "cities").jsonArray.first?["name"]?.string
/// ```
///
/// It is compatible with Cache in both directions. `JSONValue` is `Codable` itself: a new program stores it, or a type
/// of its own.
public struct JSONArrayWrapper: Codable, Hashable, Sendable {
  /// The list.
  public let jsonArray: [[String: JSONValue]]

  /// Creates a wrapper of a list.
  public init(jsonArray: [[String: JSONValue]]) { self.jsonArray = jsonArray }

  private enum CodingKeys: CodingKey { case jsonArray }

  /// Decodes a wrapped list. Throws if the bytes inside are no list of JSON objects.
  public init(from decoder: any Decoder) throws {
    let bytes = try decoder.container(keyedBy: CodingKeys.self).decode(Data.self, forKey: .jsonArray)
    jsonArray = try JSONDecoder().decode([[String: JSONValue]].self, from: bytes)
  }

  /// Encodes the list's bytes inside an object.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(JSONEncoder().encode(jsonArray), forKey: .jsonArray)
  }
}
