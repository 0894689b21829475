#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

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
