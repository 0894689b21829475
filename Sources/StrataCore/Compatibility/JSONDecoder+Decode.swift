#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

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
