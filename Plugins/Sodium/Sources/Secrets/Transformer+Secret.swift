#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
public import StrataCore

extension Transformer {
  /// Secrets, encrypted straight from their memory and decrypted straight into it: the one way for them into a chain.
  ///
  /// `type` is what the secret reveals. Bytes that cannot be decrypted throw `EncryptorError.failedToDecrypt`; where no
  /// more memory can be locked, `.backendFailed`. Nothing can come between the secret and the encryption: compression,
  /// say, would take it out of its memory.
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
