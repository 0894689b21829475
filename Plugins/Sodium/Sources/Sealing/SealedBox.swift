internal import CSodium
import StrataCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The format of values encrypted with a public key: the head, an ephemeral public key made for this value alone, the
/// encrypted bytes and their tag.
///
/// libsodium's own sealed boxes cannot authenticate additional data, and the identity must be authenticated.
enum SealedBox {
  private static let textStart = Envelope.headSize + PublicKey.size
  /// The number of bytes that encryption adds.
  static let overhead = textStart + Envelope.tagSize

  /// A prefix of the hashed key material, so that the hash has no other use.
  private static let purpose = Array("strata sealed box".utf8)
  /// The nonce. It is constant, since each key encrypts only one value.
  private static let nonce = [UInt8](repeating: 0, count: Envelope.nonceSize)

  static func seal(_ plain: UnsafeRawBufferPointer, to recipient: PublicKey, for identity: EntryIdentity)
    throws
    -> Data
  {
    let sealed = UnsafeMutableRawBufferPointer.allocateForData(plain.count + overhead)
    Envelope.writeHead(.sealedBox, recipient.id, into: sealed)
    let ephemeral = sealed.part(Envelope.headSize..<textStart)
    let status = withWiped(SecretKey.size) { secret in
      Sodium.randomize(secret)
      _ = crypto_scalarmult_curve25519_base(ephemeral.sodiumStart, secret.sodiumStart)
      return withKey(
        of: secret.sodiumStart, with: recipient.bytes, UnsafeRawBufferPointer(ephemeral), recipient
      ) { key in
        Envelope.withAuthenticated(UnsafeRawBufferPointer(sealed.part(..<textStart)), identity) {
          authenticated in
          crypto_aead_xchacha20poly1305_ietf_encrypt(
            sealed.sodiumStart + textStart, nil, plain.sodiumBytes, UInt64(plain.count),
            authenticated.sodiumBytes, UInt64(authenticated.count), nil, nonce, key)
        }
      }
    }
    guard status == 0 else {
      sealed.freeUnusedData()
      throw EncryptorError.failedToEncrypt.with(
        code: -1, reason: "no key pair can have this public key")
    }
    return Data(adopting: sealed)
  }

  static func open(
    _ sealed: UnsafeRawBufferPointer, with pair: KeyPair, for identity: EntryIdentity,
    into memory: (Int) throws -> UnsafeMutableRawBufferPointer
  ) throws {
    let needed = try Envelope.keyID(of: sealed, .sealedBox, atLeast: overhead)
    guard needed == pair.publicKey.id else {
      throw Envelope.refusal(
        "it was encrypted for the public key \(needed), but this key pair is \(pair.publicKey.id)")
    }
    let plain = try memory(sealed.count - overhead)
    let ephemeral = sealed.part(Envelope.headSize..<textStart)
    let head = sealed.part(..<textStart)
    let text = sealed.part(textStart...)
    let status = pair.secretKey.bytes.withPointer { secret in
      withKey(of: secret, with: Array(ephemeral), ephemeral, pair.publicKey) { key in
        Envelope.withAuthenticated(head, identity) { authenticated in
          crypto_aead_xchacha20poly1305_ietf_decrypt(
            plain.sodiumBytes, nil, nil, text.sodiumStart, UInt64(text.count), authenticated.sodiumBytes,
            UInt64(authenticated.count), nonce, key)
        }
      }
    }
    guard status == 0 else { throw Envelope.forged() }
  }

  /// Calls `body` with the key of one value, which is derived from a secret key and a public key. Returns `nil` if the
  /// key exchange fails.
  private static func withKey<R>(
    of secret: UnsafePointer<UInt8>, with other: [UInt8], _ ephemeral: UnsafeRawBufferPointer,
    _ recipient: PublicKey, _ body: (UnsafePointer<UInt8>) -> R
  ) -> R? {
    withWiped(purpose.count + 3 * PublicKey.size) { material in
      let (sharedStart, ephemeralStart) = (purpose.count, purpose.count + PublicKey.size)
      material.copyBytes(from: purpose)
      guard crypto_scalarmult_curve25519(material.sodiumStart + sharedStart, secret, other) == 0 else {
        return nil
      }
      material.part(ephemeralStart...).copyMemory(from: ephemeral)
      material.part((ephemeralStart + PublicKey.size)...).copyBytes(
        from: recipient.bytes)
      return withWiped(SecretKey.size) { key in
        _ = crypto_generichash(
          key.sodiumStart, key.count, material.sodiumStart, UInt64(material.count), nil, 0)
        return body(UnsafePointer(key.sodiumStart))
      }
    }
  }

  /// Calls `body` with temporary memory, and wipes it afterwards.
  private static func withWiped<R>(_ count: Int, _ body: (UnsafeMutableRawBufferPointer) throws -> R) rethrows
    -> R
  {
    try withUnsafeTemporaryAllocation(byteCount: count, alignment: 16) { memory in
      defer { sodium_memzero(memory.sodiumStart, memory.count) }
      return try body(memory)
    }
  }
}
