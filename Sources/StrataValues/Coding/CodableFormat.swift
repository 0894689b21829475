#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A format for values of any `Codable` type: JSON, property lists, or a format of a plugin.
///
/// ```swift
/// // Reads what was stored as a property list too, and writes JSON: the store moves over with each write.
/// let moving = Transformer<City>.codable(reading: [.json, .propertyList], writing: .json)
/// ```
public struct CodableFormat: Sendable {
  /// The encoder and decoder of a format. A plugin implements this protocol for its own format.
  package protocol Coder: Sendable {
    func encode<T: Encodable>(_ value: T) throws -> Data
    func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T
    /// Returns whether the first bytes are in this format. No two formats may recognize the same bytes.
    func recognizes(_ data: Data) -> Bool
    /// Adds a mark to encoded bytes that `recognizes` does not recognize, so that it does.
    func marked(_ data: Data) -> Data
  }

  /// The name of the format, for errors and to compare transformers.
  package let name: String
  package let coder: any Coder

  package init(_ name: String, _ coder: some Coder) {
    self.name = name
    self.coder = coder
  }

  /// JSON, with Foundation's coders.
  public static let json = CodableFormat("json", JSONTexts())
  /// Binary property lists, with Foundation's coders. XML property lists are read too.
  public static let propertyList = CodableFormat("plist", PropertyLists())
}

extension CodableFormat.Coder {
  package func marked(_ data: Data) -> Data { data }
}

extension Transformer where Value: Codable {
  /// Returns a transformer of any `Codable` type in one format.
  public static func codable(_ type: Value.Type = Value.self, format: CodableFormat) -> Self {
    coding(
      format.name, ByteFormat(format.name), codable: format, encode: { try format.coder.encode($0) },
      decode: { try format.coder.decode(type, from: $0) })
  }

  /// Returns a transformer of any `Codable` type in several formats, to migrate a store from one format to another
  /// while it is in use.
  ///
  /// Writes `writing`. Reads `writing` and all of `reading`, distinguished by their first bytes. Bytes that none of the
  /// formats recognizes are read as `writing`.
  public static func codable(
    _ type: Value.Type = Value.self, reading: [CodableFormat], writing: CodableFormat
  ) -> Self {
    let readable = [writing] + reading.filter { $0.name != writing.name }
    let names = readable.map(\.name)
    return coding(
      names.joined(separator: ", "), ByteFormat(names.joined(separator: "|")), codable: writing,
      encode: { value in
        let data = try writing.coder.encode(value)
        return writing.coder.recognizes(data) ? data : writing.coder.marked(data)
      },
      decode: { data in
        let format = readable.first { $0.coder.recognizes(data) } ?? writing
        return try format.coder.decode(type, from: data)
      })
  }
}

private struct JSONTexts: CodableFormat.Coder {
  func encode<T: Encodable>(_ value: T) throws -> Data { try JSONEncoder().encode(value) }
  func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
    try JSONDecoder().decode(type, from: data)
  }
  /// Returns whether the bytes may be JSON: it begins with a bracket, a quote, a digit, a sign, a letter of `true`,
  /// `false` or `null`, or white space.
  func recognizes(_ data: Data) -> Bool {
    data.first.map { "{[\"-0123456789tfn \t\r\n".utf8.contains($0) } ?? false
  }
}

private struct PropertyLists: CodableFormat.Coder {
  func encode<T: Encodable>(_ value: T) throws -> Data {
    try PropertyListFormat.binary.encoder.encodeAny(value)
  }
  func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
    try PropertyListDecoder().decodeAny(type, from: data)
  }
  func recognizes(_ data: Data) -> Bool {
    data.starts(with: "bplist".utf8) || data.starts(with: "<?xml".utf8)
  }
}
