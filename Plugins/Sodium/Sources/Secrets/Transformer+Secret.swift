#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
public import StrataCore

extension Transformer {
  /// Returns a transformer that encrypts secrets from their locked memory and decrypts into locked memory. Secrets can
  /// enter a chain in no other way.
  ///
  /// ```swift
  /// let passwords = Storage(back: disk, transformer: .secret(String.self, with: ring))
  /// try passwords.setObject(Secret(passphrase), forKey: "ada")
  /// ```
  ///
  /// `type` is the type that `Secret.reveal` returns. Bytes that cannot be decrypted throw
  /// `EncryptorError.failedToDecrypt`. If no more memory can be locked, `.backendFailed` is thrown. No step,
  /// compression for example, can be put between the secret and its encryption: it would copy the secret to ordinary
  /// memory.
  public static func secret<V: Sendable>(
    _ type: V.Type, with cipher: some Cipher, for identity: EntryIdentity = .none
  ) -> Transformer where Value == Secret<V> {
    Transformer(
      format: ByteFormat(), isConfidential: true, isCurrent: { cipher.isCurrent($0) },
      steps: [.encrypted(with: cipher, for: identity)],
      toData: { secret in try secret.withBytes { try cipher.encrypt($0, for: identity) } },
      fromData: { sealed in
        try Secret(
          LockedBytes.filled { memory in
            try sealed.withUnsafeBytes { try cipher.decrypt($0, for: identity, into: memory) }
          })
      })
  }
}
