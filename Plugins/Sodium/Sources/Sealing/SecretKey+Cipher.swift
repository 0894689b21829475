#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension SecretKey: Cipher {
  /// Encrypts with this key and a new nonce.
  public func encrypt(_ plain: UnsafeRawBufferPointer, for identity: EntryIdentity) throws -> Data {
    SecretBox.seal(plain, with: self, for: identity)
  }

  /// Decrypts bytes that this key encrypted.
  public func decrypt(
    _ sealed: UnsafeRawBufferPointer, for identity: EntryIdentity,
    into memory: (_ count: Int) throws -> UnsafeMutableRawBufferPointer
  ) throws {
    let needed = try SecretBox.keyID(of: sealed)
    guard needed == id else { throw Envelope.refusal("it needs the key \(needed), but this key is \(id)") }
    try SecretBox.open(sealed, with: self, for: identity, into: memory)
  }

  /// Whether this key encrypted the bytes.
  public func isCurrent(_ sealed: UnsafeRawBufferPointer) -> Bool {
    Envelope.names(id, in: sealed, .secretKey)
  }
}

extension KeyRing: Cipher {
  /// Encrypts with the newest key and a new nonce.
  public func encrypt(_ plain: UnsafeRawBufferPointer, for identity: EntryIdentity) throws -> Data {
    SecretBox.seal(plain, with: newest, for: identity)
  }

  /// Decrypts bytes that any of the keys encrypted.
  public func decrypt(
    _ sealed: UnsafeRawBufferPointer, for identity: EntryIdentity,
    into memory: (_ count: Int) throws -> UnsafeMutableRawBufferPointer
  ) throws {
    try SecretBox.open(sealed, with: key(SecretBox.keyID(of: sealed)), for: identity, into: memory)
  }

  /// Whether the newest key encrypted the bytes.
  public func isCurrent(_ sealed: UnsafeRawBufferPointer) -> Bool { newest.isCurrent(sealed) }
}
