#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Transformer where Value: Codable {
  /// Returns a transformer of any `Codable` type as JSON, including single numbers and strings.
  public static func codable(_ type: Value.Type) -> Self { codable(type, format: .json) }

  /// A transformer of a `Codable` type as JSON, where the type is known from the context.
  ///
  /// ```swift
  /// let cities = try Storage<String, City>(diskConfig: DiskConfig(name: "cities"), transformer: .codable)
  /// ```
  public static var codable: Self { codable(Value.self) }

  /// Returns a transformer of any `Codable` type as JSON, with coders of your own, for example with sorted keys or a
  /// certain form of dates.
  ///
  /// The coders are used on any thread, also concurrently: do not change them after this call.
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

  /// Returns a transformer of any `Codable` type as a property list, binary or XML. Both forms are read, whichever is
  /// written.
  ///
  /// ```swift
  /// let users = Storage(back: disk, transformer: .propertyList(User.self, format: .xml))
  /// ```
  ///
  /// The root of a property list is an array or a dictionary, so a single number or string is stored as an array of one
  /// element. A value that is itself an array of one element is wrapped too, so that the two cases differ.
  public static func propertyList(_ type: Value.Type, format: PropertyListFormat = .binary) -> Self {
    coding(
      CodableFormat.propertyList.name, ByteFormat("plist"), codable: .propertyList,
      encode: { try format.encoder.encodeAny($0) },
      decode: { try PropertyListDecoder().decodeAny(type, from: $0) })
  }

  /// Returns a transformer of any `Codable` type as a property list, with coders of your own. It writes the encoder's
  /// `outputFormat` and reads both forms.
  ///
  /// The coders are used on any thread, also concurrently: do not change them after this call.
  public static func propertyList(
    _ type: Value.Type, encoder: PropertyListEncoder, decoder: PropertyListDecoder
  ) -> Self {
    coding(
      CodableFormat.propertyList.name, ByteFormat(), encode: { try encoder.encodeAny($0) },
      decode: { try decoder.decodeAny(type, from: $0) })
  }

  /// Returns a transformer of two coders, whose errors it wraps in a `StorageError`.
  ///
  /// - Parameter codable: the format for views of other types; `nil` for JSON.
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

/// Names the missing conformance, which Swift's own message does not.
extension Transformer {
  /// Unavailable: the type does not conform to `Codable`.
  @available(*, unavailable, message: "the type of the values does not conform to Codable")
  public static func codable(_ type: Value.Type) -> Self { preconditionFailure() }

  /// Unavailable: the type does not conform to `Codable`.
  @available(*, unavailable, message: "the type of the values does not conform to Codable")
  public static var codable: Self { preconditionFailure() }
}
