#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A JSON object as Cache by hyperoslo stores it: the bytes of the object inside another.
///
/// Reads what Cache wrote, and writes what Cache reads. `JSONValue` is `Codable` itself: a new program stores that, or
/// a type of its own.
public struct JSONDictionaryWrapper: Codable, Hashable, Sendable {
  /// The object.
  public let jsonDictionary: [String: JSONValue]

  /// Wraps an object.
  public init(jsonDictionary: [String: JSONValue]) { self.jsonDictionary = jsonDictionary }

  private enum CodingKeys: CodingKey { case jsonDictionary }

  /// Reads a wrapped object; throws if the bytes inside are none.
  public init(from decoder: any Decoder) throws {
    let bytes = try decoder.container(keyedBy: CodingKeys.self).decode(Data.self, forKey: .jsonDictionary)
    jsonDictionary = try JSONDecoder().decode([String: JSONValue].self, from: bytes)
  }

  /// Writes the object's bytes inside another object.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(JSONEncoder().encode(jsonDictionary), forKey: .jsonDictionary)
  }
}

/// A list of JSON objects as Cache by hyperoslo stores it: the bytes of the list inside an object.
///
/// Reads what Cache wrote, and writes what Cache reads. `JSONValue` is `Codable` itself: a new program stores that, or
/// a type of its own.
public struct JSONArrayWrapper: Codable, Hashable, Sendable {
  /// The list.
  public let jsonArray: [[String: JSONValue]]

  /// Wraps a list.
  public init(jsonArray: [[String: JSONValue]]) { self.jsonArray = jsonArray }

  private enum CodingKeys: CodingKey { case jsonArray }

  /// Reads a wrapped list; throws if the bytes inside are none.
  public init(from decoder: any Decoder) throws {
    let bytes = try decoder.container(keyedBy: CodingKeys.self).decode(Data.self, forKey: .jsonArray)
    jsonArray = try JSONDecoder().decode([[String: JSONValue]].self, from: bytes)
  }

  /// Writes the list's bytes inside an object.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(JSONEncoder().encode(jsonArray), forKey: .jsonArray)
  }
}
