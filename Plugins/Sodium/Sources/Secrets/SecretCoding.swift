internal import CSodium
import StrataCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Converts values to and from the bytes of a secret, with as few copies as possible.
///
/// The format depends on the dynamic type of the value: generic code produces the same bytes as code that knows the
/// type.
enum SecretCoding {
  static func encode<Value: Codable>(_ value: Value) throws -> LockedBytes {
    if let text = value as? String {
      var text = text
      return try text.withUTF8 { try LockedBytes(UnsafeRawBufferPointer($0)) }
    }
    if let data = value as? Data { return try data.withUnsafeBytes { try LockedBytes($0) } }
    var encoded: Data
    do { encoded = try JSONEncoder().encode(value) } catch {
      // The error of the encoder would quote the value.
      throw StorageError.encodingFailed.with("a secret \(Value.self) could not be written as JSON")
    }
    defer { encoded.wipe() }
    return try encoded.withUnsafeBytes { try LockedBytes($0) }
  }

  static func decode<Value: Codable>(_ type: Value.Type, from bytes: LockedBytes) throws -> Value {
    try bytes.withUnsafeBytes { bytes in
      if type == String.self, let text = String(decoding: bytes, as: UTF8.self) as? Value { return text }
      if type == Data.self, let data = Data(bytes) as? Value { return data }
      return try decodeJSON(type, from: bytes)
    }
  }

  private static func decodeJSON<Value: Codable>(_ type: Value.Type, from bytes: UnsafeRawBufferPointer)
    throws
    -> Value
  {
    var copy = Data(bytes)
    defer { copy.wipe() }
    do { return try JSONDecoder().decode(type, from: copy) } catch {
      // The error of the decoder would quote the secret.
      throw StorageError.decodingFailed.with(
        "a secret of \(bytes.count) bytes could not be read as a \(type) in JSON")
    }
  }
}

extension Data {
  /// Overwrites the bytes. No other `Data` may share them.
  fileprivate mutating func wipe() {
    withUnsafeMutableBytes { bytes in
      if let start = bytes.baseAddress { sodium_memzero(start, bytes.count) }
    }
  }
}
