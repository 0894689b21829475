#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Transformer where Value: Codable {
  /// Any `Codable` type as JSON, single numbers and strings included.
  public static func codable(_ type: Value.Type) -> Self {
    coding(
      "json", ByteFormat("json"), encode: { try JSONEncoder().encode($0) },
      decode: { try JSONDecoder().decode(type, from: $0) })
  }

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
  /// A property list has an array or a dictionary at its top: a single number or string is stored as an array of one. So
  /// is a value that is an array of one itself, or the two could not be told apart.
  public static func propertyList(_ type: Value.Type, format: PropertyListFormat = .binary) -> Self {
    propertyList(type, ByteFormat("plist"), encoder: { format.encoder }, decoder: { PropertyListDecoder() })
  }

  /// Any `Codable` type as a property list, by coders of your own. The encoder's `outputFormat` is written; both are
  /// read.
  ///
  /// The coders are used on any thread, also at the same time: set them up before and leave them as they are.
  public static func propertyList(
    _ type: Value.Type, encoder: PropertyListEncoder, decoder: PropertyListDecoder
  ) -> Self {
    propertyList(type, ByteFormat(), encoder: { encoder }, decoder: { decoder })
  }

  private static func propertyList(
    _ type: Value.Type, _ format: ByteFormat, encoder: @escaping @Sendable () -> PropertyListEncoder,
    decoder: @escaping @Sendable () -> PropertyListDecoder
  ) -> Self {
    coding(
      "plist", format,
      encode: { value in
        let encoder = encoder()
        do {
          let plain = try encoder.encode(value)
          return try PropertyListDecoder().hasArrayOfOne(plain) ? try encoder.encode([value]) : plain
        } catch let error as EncodingError {
          // A second failure is the same one again, or one that the array did not cause: the first says why.
          guard let wrapped = try? encoder.encode([value]) else { throw error }
          return wrapped
        }
      },
      decode: { data in
        let decoder = decoder()
        guard try decoder.hasArrayOfOne(data) else { return try decoder.decode(type, from: data) }
        do { return try decoder.decode([Value].self, from: data)[0] } catch let error as DecodingError {
          // Another program may have written the array as it is.
          guard let plain = try? decoder.decode(type, from: data) else { throw error }
          return plain
        }
      })
  }

  private static func coding(
    _ name: String, _ format: ByteFormat, encode: @escaping @Sendable (Value) throws -> Data,
    decode: @escaping @Sendable (Data) throws -> Value
  ) -> Self {
    Transformer(
      format: format,
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
