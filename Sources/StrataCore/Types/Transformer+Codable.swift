#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Transformer where Value: Codable {
  /// Any `Codable` type as JSON, single numbers and strings included.
  public static func codable(_ type: Value.Type) -> Self { codable(type, format: .json) }

  /// Any `Codable` type as JSON, by coders of your own: sorted keys, say, or dates in a certain form.
  ///
  /// The coders are used on any thread, also at the same time: set them up before and leave them as they are.
  ///
  /// ```swift
  /// let encoder = JSONEncoder()
  /// encoder.outputFormatting = .sortedKeys
  /// let sorted = Transformer.codable(City.self, encoder: encoder, decoder: JSONDecoder())
  /// ```
  public static func codable(_ type: Value.Type, encoder: JSONEncoder, decoder: JSONDecoder) -> Self {
    coding(
      "json", ByteFormat(), encode: { try encoder.encode($0) }, decode: { try decoder.decode(type, from: $0) }
    )
  }

  /// Any `Codable` type as a property list, binary or XML; both are read, whichever is written.
  ///
  /// A property list has an array or a dictionary at its top: a single number or string is stored as an array of one.
  /// So is a value that is an array of one itself, or the two could not be told apart.
  public static func propertyList(_ type: Value.Type, format: PropertyListFormat = .binary) -> Self {
    coding(
      CodableFormat.propertyList.name, ByteFormat("plist"), codable: .propertyList,
      encode: { try format.encoder.encodeAny($0) },
      decode: { try PropertyListDecoder().decodeAny(type, from: $0) })
  }

  /// Any `Codable` type as a property list, by coders of your own. The encoder's `outputFormat` is written; both are
  /// read.
  ///
  /// The coders are used on any thread, also at the same time: set them up before and leave them as they are.
  public static func propertyList(
    _ type: Value.Type, encoder: PropertyListEncoder, decoder: PropertyListDecoder
  ) -> Self {
    coding(
      CodableFormat.propertyList.name, ByteFormat(), encode: { try encoder.encodeAny($0) },
      decode: { try decoder.decodeAny(type, from: $0) })
  }

  /// A transformer by two coders, whose errors it explains.
  ///
  /// - Parameter codable: the format in which views of another type are written; `nil` for JSON.
  static func coding(
    _ name: String, _ format: ByteFormat, codable: CodableFormat? = nil,
    encode: @escaping @Sendable (Value) throws -> Data,
    decode: @escaping @Sendable (Data) throws -> Value
  ) -> Self {
    Transformer(
      format: format, codable: codable,
      toData: { value in
        do { return try encode(value) } catch {
          throw StorageError.encodingFailed.with(
            "a \(Value.self) could not be written as \(name)", cause: error)
        }
      },
      fromData: { data in
        do { return try decode(data) } catch {
          throw StorageError.decodingFailed.with(
            "\(data.count) bytes could not be read as a \(Value.self) in \(name)", cause: error)
        }
      })
  }
}
