#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

/// A cipher in the role of an `Encryptor`, for what takes one: a `KeychainStorage`, say.
///
/// ```swift
/// let tokens = KeychainStorage<Token>(account: "ada", encryptor: SodiumEncryptor(key, for: "tokens/ada"))
/// ```
public struct SodiumEncryptor: Encryptor {
  private let cipher: any Cipher
  private let identity: EntryIdentity

  /// Encrypts with a cipher, for an identity: what was encrypted for another is refused.
  public init(_ cipher: some Cipher, for identity: EntryIdentity = .none) {
    self.cipher = cipher
    self.identity = identity
  }

  /// Encrypts bytes; the same become others each time.
  public func encrypt(data: Data) async throws -> Data { try cipher.encrypt(data, for: identity) }

  /// Decrypts bytes; throws `EncryptorError.failedToDecrypt` on any that were not encrypted for this.
  public func decrypt(data: Data) async throws -> Data { try cipher.decrypt(data, for: identity) }
}
