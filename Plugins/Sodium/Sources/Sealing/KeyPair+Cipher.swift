#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension PublicKey: Cipher {
  /// Encrypts for the owner of the pair. Throws `EncryptorError.failedToEncrypt` if no pair can have this public key.
  public func encrypt(_ plain: UnsafeRawBufferPointer, for identity: EntryIdentity) throws -> Data {
    try SealedBox.seal(plain, to: self, for: identity)
  }

  /// Always throws `EncryptorError.failedToDecrypt`: decrypting needs the `KeyPair`.
  public func decrypt(
    _ sealed: UnsafeRawBufferPointer, for identity: EntryIdentity,
    into memory: (_ count: Int) throws -> UnsafeMutableRawBufferPointer
  ) throws {
    throw Envelope.refusal("a public key cannot decrypt: use its `KeyPair`")
  }

  /// Whether the bytes were encrypted with this key.
  public func isCurrent(_ sealed: UnsafeRawBufferPointer) -> Bool {
    Envelope.names(id, in: sealed, .sealedBox)
  }
}

extension KeyPair: Cipher {
  /// Encrypts with the public key.
  public func encrypt(_ plain: UnsafeRawBufferPointer, for identity: EntryIdentity) throws -> Data {
    try publicKey.encrypt(plain, for: identity)
  }

  /// Decrypts bytes that the public key encrypted.
  public func decrypt(
    _ sealed: UnsafeRawBufferPointer, for identity: EntryIdentity,
    into memory: (_ count: Int) throws -> UnsafeMutableRawBufferPointer
  ) throws {
    try SealedBox.open(sealed, with: self, for: identity, into: memory)
  }

  /// Whether the bytes were encrypted with the public key.
  public func isCurrent(_ sealed: UnsafeRawBufferPointer) -> Bool { publicKey.isCurrent(sealed) }
}
