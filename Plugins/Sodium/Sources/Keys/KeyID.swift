/// The identifier of a key in the bytes that it encrypted: eight bytes derived from the key that reveal nothing of it.
///
/// ```swift
/// print(key.id)   // Sixteen hexadecimal digits, for logs.
/// ```
///
/// A key has the same id everywhere, so no table of ids is needed.
public struct KeyID: Hashable, Sendable {
  /// The bytes as they appear in encrypted values.
  let value: UInt64

  /// The number of bytes of an id.
  static let size = 8

  init(_ value: UInt64) { self.value = value }

  init(_ bytes: UnsafeRawBufferPointer) {
    value = bytes.loadUnaligned(as: UInt64.self)
  }
}

extension KeyID: CustomStringConvertible {
  /// The bytes in hexadecimal digits, in order.
  public var description: String {
    withUnsafeBytes(of: value) { bytes in
      bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
  }
}
