public import StrataCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension CodableFormat {
  /// The CBOR format, by `CBOREncoder` and `CBORDecoder`.
  ///
  /// `codable(reading:writing:)` distinguishes it from JSON and property lists by the first byte: a map, an array or a
  /// tag. A single number or text is therefore written with the tag 55799.
  public static let cbor = CodableFormat("cbor", CBORItems())
}

extension Transformer where Value: Codable {
  /// Returns a transformer of any `Codable` type to CBOR (RFC 8949), which is smaller than JSON and takes a fraction of
  /// its time.
  ///
  /// ```swift
  /// let users = try Storage<String, User>(
  ///   diskConfig: DiskConfig(name: "users"), memoryConfig: MemoryConfig(), transformer: .cbor(User.self))
  /// ```
  public static func cbor(_ type: Value.Type = Value.self) -> Self { codable(type, format: .cbor) }
}

private struct CBORItems: CodableFormat.Coder {
  func encode<T: Encodable>(_ value: T) throws -> Data { try CBOREncoder().encode(value) }
  func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
    try CBORDecoder().decode(type, from: data)
  }
  /// Returns whether the bytes begin with an array, a map or a tag, as CBOR written here does. No JSON text and no
  /// property list begins with such a byte.
  func recognizes(_ data: Data) -> Bool { data.first.map { (0x80..<0xe0).contains($0) } ?? false }
  func marked(_ data: Data) -> Data { Data([0xd9, 0xd9, 0xf7]) + data }
}
