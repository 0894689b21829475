/// What names a key in the bytes that it encrypted: eight bytes that are made of the key and tell nothing of it.
///
/// The same key has the same id everywhere, so nobody has to keep a table of ids.
public struct KeyID: Hashable, Sendable {
  /// The bytes as they stand in what was encrypted.
  let value: UInt64

  /// How many bytes an id takes.
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
