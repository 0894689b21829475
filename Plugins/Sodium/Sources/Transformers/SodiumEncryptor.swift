#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

/// Adapts a `Cipher` to the `Encryptor` protocol, for example for a `KeychainStorage`.
///
/// ```swift
/// let tokens = KeychainStorage<Token>(account: "ada", encryptor: SodiumEncryptor(key, for: "tokens/ada"))
/// ```
public struct SodiumEncryptor: Encryptor {
  private let cipher: any Cipher
  private let identity: EntryIdentity

  /// Creates an encryptor for an identity. Bytes that were encrypted for another identity are refused.
  public init(_ cipher: some Cipher, for identity: EntryIdentity = .none) {
    self.cipher = cipher
    self.identity = identity
  }

  /// Encrypts bytes. Equal bytes are encrypted differently on each call.
  public func encrypt(data: Data) async throws -> Data { try cipher.encrypt(data, for: identity) }

  /// Decrypts bytes. Throws `EncryptorError.failedToDecrypt` unless they were encrypted by this cipher for this
  /// identity.
  public func decrypt(data: Data) async throws -> Data { try cipher.decrypt(data, for: identity) }
}
