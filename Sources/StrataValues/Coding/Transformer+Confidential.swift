#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Transformer {
  /// Returns this transformer with errors that contain no part of the value.
  ///
  /// An error keeps its code and the position in the value: names of fields, positions in arrays, and types. Its
  /// message and cause are dropped, since both may quote the value. Keys of dictionaries are dropped too, since they
  /// are part of the value. The bytes are the same as without this function.
  ///
  /// Chains over a confidential store, and transformers with `.encrypted(with:)`, do this by themselves.
  public func confidential() -> Self {
    if isConfidential { return self }
    return Transformer(
      format: format, codable: coding.codable, isConfidential: true, isCurrent: coding.isCurrent,
      steps: coding.steps, isBytes: coding.isBytes, plain: coding.plain.map(Self.withholding),
      unstep: coding.unstep,
      toData: { [toData] value in
        do { return try toData(value) } catch {
          throw Disclosure.of(error, as: .encodingFailed, "a \(Value.self) could not be written")
        }
      },
      fromData: Self.withholding(fromData))
  }

  private static func withholding(
    _ fromData: @escaping @Sendable (Data) throws -> Value
  ) -> @Sendable (Data) throws -> Value {
    { data in
      do { return try fromData(data) } catch {
        throw Disclosure.of(
          error, as: .decodingFailed, "\(data.count) bytes could not be read as a \(Value.self)")
      }
    }
  }
}

extension ByteTransformer {
  /// Returns this step with errors that contain no part of its input, which is confidential.
  func withholding() -> ByteTransformer {
    if isConfidential { return self }
    return ByteTransformer(
      format: format, isCurrent: isCurrent,
      encode: { [encode] data in
        do { return try encode(data) } catch {
          throw Disclosure.of(error, as: .transformerFail, "\(data.count) bytes could not be transformed")
        }
      },
      decode: { [decode] data in
        do { return try decode(data) } catch {
          throw Disclosure.of(
            error, as: .transformerFail, "\(data.count) bytes could not be transformed back")
        }
      })
  }
}

/// The parts of an error that may be shown although the value is confidential.
enum Disclosure {
  /// Returns an error that replaces an error which may quote the value.
  static func of(_ error: any Error, as failure: StorageError, _ subject: String) -> any Error {
    switch error {
    case is CancellationError: return error
    case let error as EncryptorError: return EncryptorError(error.kind)
    case let error as StorageError:
      let code = known.contains(error.code) ? error.code : failure.code
      return StorageError(code, message(subject, about: error.cause ?? error))
    default: return failure.with(message(subject, about: error))
    }
  }

  /// The codes that cannot contain a part of a value.
  private static let known: Set<StorageError.Code> = Set(
    [
      StorageError.notFound, .typeNotMatch, .malformedFileAttributes, .decodingFailed, .encodingFailed,
      .deallocated,
      .transformerFail, .backendFailed, .tooLarge, .deadlock, .invalidConfiguration, .newerFormat,
    ].map(\.code))

  private static func message(_ subject: String, about error: any Error) -> String {
    "\(subject)\(detail(error)); details are omitted, since the values of this store are confidential"
  }

  private static func detail(_ error: any Error) -> String {
    switch error {
    case DecodingError.typeMismatch(let type, let context):
      ": there is no \(type)\(place(context.codingPath))"
    case DecodingError.valueNotFound(let type, let context):
      ": null was found instead of a \(type)\(place(context.codingPath))"
    case DecodingError.keyNotFound(let key, let context):
      ": a field is missing\(place(context.codingPath + [key]))"
    case DecodingError.dataCorrupted(let context):
      ": the data is corrupted\(place(context.codingPath))"
    case EncodingError.invalidValue(let value, let context):
      ": a \(type(of: value)) cannot be encoded\(place(context.codingPath))"
    case is StorageError: ""
    default: ": \(type(of: error)) was thrown"
    }
  }

  /// Returns the shape of a coding path: fields by name, elements of arrays by number, keys of dictionaries as stars.
  private static func place(_ path: [any CodingKey]) -> String {
    if path.isEmpty { return "" }
    return " at " + path.prefix(16).map(step).joined() + (path.count > 16 ? "…" : "")
  }

  private static func step(_ key: any CodingKey) -> String {
    if let index = key.intValue, key.stringValue == "Index \(index)" { return "[\(index)]" }
    // An enum case without a payload is written in the program's source. Any other key was created at run time, perhaps
    // from the value.
    let mirror = Mirror(reflecting: key)
    return mirror.displayStyle == .enum && mirror.children.isEmpty ? ".\(key.stringValue)" : ".*"
  }
}
