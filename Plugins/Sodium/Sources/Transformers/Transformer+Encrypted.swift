#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
public import StrataCore

extension ByteTransformer {
  /// Encryption with authentication, by a `SecretKey`, a `KeyRing`, a `PublicKey` or a `KeyPair`.
  ///
  /// Bytes that were damaged, cut short, or encrypted with another key or for another identity throw
  /// `EncryptorError.failedToDecrypt`; nothing of them is returned. A transformer knows no key of an entry, so all
  /// entries of a store have one identity: to bind each to its key, encrypt the store instead,
  /// `store.encrypted(with:)`.
  ///
  /// Compress before, if at all, `.zlib().encrypted(with: key)`: what is encrypted cannot be compressed. But the length
  /// of what is stored then tells something of what was in it; the README says when that matters.
  public static func encrypted(with cipher: some Cipher, for identity: EntryIdentity = .none)
    -> ByteTransformer
  {
    ByteTransformer(
      isConfidential: true, isCurrent: { cipher.isCurrent($0) },
      encode: { try cipher.encrypt($0, for: identity) }, decode: { try cipher.decrypt($0, for: identity) })
  }
}

extension Transformer {
  /// This transformer with its bytes encrypted; see `ByteTransformer.encrypted`.
  public func encrypted(with cipher: some Cipher, for identity: EntryIdentity = .none) -> Self {
    then(.encrypted(with: cipher, for: identity))
  }
}
