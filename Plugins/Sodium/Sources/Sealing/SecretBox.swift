internal import CSodium
import StrataCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The format of values encrypted with a secret key: the head, a nonce, the encrypted bytes and their tag.
enum SecretBox {
  /// The position of the encrypted bytes, behind the nonce. The nonce is random and has 24 bytes, so that no two values
  /// ever share one.
  private static let textStart = Envelope.headSize + Envelope.nonceSize
  /// The number of bytes that encryption adds.
  static let overhead = textStart + Envelope.tagSize

  static func seal(
    _ plain: UnsafeRawBufferPointer, with key: SecretKey, for identity: EntryIdentity
  ) -> Data {
    let sealed = UnsafeMutableRawBufferPointer.allocateForData(plain.count + overhead)
    Envelope.writeHead(.secretKey, key.id, into: sealed)
    let nonce = sealed.part(Envelope.headSize..<textStart)
    Sodium.randomize(nonce)
    let head = UnsafeRawBufferPointer(sealed.part(..<Envelope.headSize))
    Envelope.withAuthenticated(head, identity) { authenticated in
      key.bytes.withPointer { key in
        // Encryption fails only for sizes that cannot occur.
        _ = crypto_aead_xchacha20poly1305_ietf_encrypt(
          sealed.sodiumStart + textStart, nil, plain.sodiumBytes, UInt64(plain.count),
          authenticated.sodiumBytes, UInt64(authenticated.count), nil, nonce.sodiumStart, key)
      }
    }
    return Data(adopting: sealed)
  }

  /// Returns the id of the key that encrypted a value. Throws if the head is invalid.
  static func keyID(of sealed: UnsafeRawBufferPointer) throws -> KeyID {
    try Envelope.keyID(of: sealed, .secretKey, atLeast: overhead)
  }

  static func open(
    _ sealed: UnsafeRawBufferPointer, with key: SecretKey, for identity: EntryIdentity,
    into memory: (Int) throws -> UnsafeMutableRawBufferPointer
  ) throws {
    let plain = try memory(sealed.count - overhead)
    let head = sealed.part(..<Envelope.headSize)
    let text = sealed.part(textStart...)
    let status = Envelope.withAuthenticated(head, identity) { authenticated in
      key.bytes.withPointer { key in
        // The tag is verified before anything is decrypted.
        crypto_aead_xchacha20poly1305_ietf_decrypt(
          plain.sodiumBytes, nil, nil, text.sodiumStart, UInt64(text.count), authenticated.sodiumBytes,
          UInt64(authenticated.count), sealed.sodiumStart + Envelope.headSize, key)
      }
    }
    guard status == 0 else { throw Envelope.forged() }
  }
}
