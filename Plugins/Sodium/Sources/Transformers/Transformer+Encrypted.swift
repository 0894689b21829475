#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
public import StrataCore

extension ByteTransformer {
  /// Returns a transformer for authenticated encryption by a `SecretKey`, a `KeyRing`, a `PublicKey` or a `KeyPair`.
  ///
  /// Bytes that were damaged, truncated, or encrypted with another key or for another identity throw
  /// `EncryptorError.failedToDecrypt`, and no part of them is returned. A transformer does not receive the keys of
  /// entries, so all entries of a store share one identity. To bind each value to its key, encrypt the store instead:
  /// `store.encrypted(with:)`.
  ///
  /// Compress before encrypting, `.zlib().encrypted(with: key)`, since encrypted bytes cannot be compressed. But the
  /// length of a compressed value reveals something of its contents; the README explains when that matters.
  public static func encrypted(with cipher: some Cipher, for identity: EntryIdentity = .none)
    -> ByteTransformer
  {
    ByteTransformer(
      isConfidential: true, isCurrent: { cipher.isCurrent($0) },
      encode: { try cipher.encrypt($0, for: identity) }, decode: { try cipher.decrypt($0, for: identity) })
  }
}

extension Transformer {
  /// Returns this transformer followed by encryption; see `ByteTransformer.encrypted`.
  public func encrypted(with cipher: some Cipher, for identity: EntryIdentity = .none) -> Self {
    then(.encrypted(with: cipher, for: identity))
  }
}
