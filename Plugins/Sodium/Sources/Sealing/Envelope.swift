internal import CSodium
import StrataCore

/// The wire format: the head of encrypted bytes, and the data that is authenticated. The README describes it byte by
/// byte.
enum Envelope {
  /// The first byte of all encrypted values. It never occurs in UTF-8, and begins no JSON, property list or zlib
  /// stream.
  static let mark: UInt8 = 0xF5

  /// The second byte: the method of encryption and its version.
  enum Method: UInt8 {
    case secretKey = 1
    case sealedBox = 2
    case stream = 3
  }

  /// The size of the mark, the method and the id of the key.
  static let headSize = 2 + KeyID.size
  static let nonceSize = Int(crypto_aead_xchacha20poly1305_ietf_NPUBBYTES)
  static let tagSize = Int(crypto_aead_xchacha20poly1305_ietf_ABYTES)

  static func writeHead(_ method: Method, _ id: KeyID, into bytes: UnsafeMutableRawBufferPointer) {
    bytes[0] = mark
    bytes[1] = method.rawValue
    bytes.storeBytes(of: id.value, toByteOffset: 2, as: UInt64.self)
  }

  /// Returns the id of the key that encrypted the bytes. Throws if the bytes are too short or do not begin with a valid
  /// head.
  static func keyID(of bytes: UnsafeRawBufferPointer, _ method: Method, atLeast size: Int) throws -> KeyID {
    guard let first = bytes.first else { throw refusal("there are no bytes") }
    guard first == mark else { throw refusal("the bytes do not begin like encrypted bytes") }
    guard bytes.count >= 2 else { throw tooShort(bytes.count) }
    guard let found = Method(rawValue: bytes[1]) else {
      throw refusal(
        "the bytes were encrypted by a method unknown to this version, number \(bytes[1]): update Strata")
    }
    guard found == method else {
      throw refusal("the bytes are \(found.article), but \(method.article) is needed")
    }
    guard bytes.count >= size else { throw tooShort(bytes.count) }
    return KeyID(bytes.part(2..<headSize))
  }

  /// Whether the head names this method and this key.
  static func names(_ id: KeyID, in bytes: UnsafeRawBufferPointer, _ method: Method) -> Bool {
    bytes.count >= headSize && bytes[0] == mark && bytes[1] == method.rawValue
      && KeyID(bytes.part(2..<headSize)) == id
  }

  /// Calls `body` with the additional authenticated data: the first bytes of the envelope, then the identity.
  static func withAuthenticated<R>(
    _ head: UnsafeRawBufferPointer, _ identity: EntryIdentity, _ body: (UnsafeRawBufferPointer) throws -> R
  ) rethrows -> R {
    try withUnsafeTemporaryAllocation(byteCount: head.count + identity.bytes.count, alignment: 1) { buffer in
      buffer.copyMemory(from: head)
      buffer.part(head.count...).copyBytes(from: identity.bytes)
      return try body(UnsafeRawBufferPointer(buffer))
    }
  }

  static func refusal(_ reason: String) -> EncryptorError { .failedToDecrypt.with(reason: reason) }

  /// Returns the error for a failed authentication, whose cause cannot be determined.
  static func forged() -> EncryptorError {
    .failedToDecrypt.with(
      code: -1, reason: "it is damaged, or was encrypted for another entry; no part of it was returned")
  }

  private static func tooShort(_ count: Int) -> EncryptorError {
    refusal("it is truncated: \(count) bytes are too few for an encrypted value")
  }
}

extension Envelope.Method {
  fileprivate var article: String {
    switch self {
    case .secretKey: "a value encrypted with a secret key"
    case .sealedBox: "a sealed box"
    case .stream: "a stream"
    }
  }
}
