#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What encrypts and decrypts: a `SecretKey`, a `KeyRing`, or for sealed boxes a `PublicKey` or a `KeyPair`.
///
/// Whatever takes a cipher takes any of them. Called on any thread, also at the same time.
public protocol Cipher: Sendable {
  /// Encrypts bytes for an identity. The same bytes become others each time.
  func encrypt(_ plain: UnsafeRawBufferPointer, for identity: EntryIdentity) throws -> Data

  /// Decrypts bytes that were encrypted for the same identity into memory of the size that they need, for which it asks
  /// `memory` once. Throws `EncryptorError.failedToDecrypt`; what is then in the memory is not plain text.
  func decrypt(
    _ sealed: UnsafeRawBufferPointer, for identity: EntryIdentity,
    into memory: (_ count: Int) throws -> UnsafeMutableRawBufferPointer) throws

  /// Whether bytes were encrypted as `encrypt` would do it now, or with a key that is to be replaced.
  func isCurrent(_ sealed: UnsafeRawBufferPointer) -> Bool
}

extension Cipher {
  /// Encrypts bytes for an identity. The same bytes become others each time.
  public func encrypt(_ data: Data, for identity: EntryIdentity = .none) throws -> Data {
    try data.withUnsafeBytes { try encrypt($0, for: identity) }
  }

  /// Decrypts bytes that were encrypted for the same identity; throws `EncryptorError.failedToDecrypt` on any others.
  public func decrypt(_ data: Data, for identity: EntryIdentity = .none) throws -> Data {
    var plain: UnsafeMutableRawBufferPointer?
    do {
      try data.withUnsafeBytes { sealed in
        try decrypt(sealed, for: identity) { count in
          let memory = UnsafeMutableRawBufferPointer.allocateForData(count)
          plain = memory
          return memory
        }
      }
    } catch {
      plain?.freeUnusedData()
      throw error
    }
    return plain.map { Data(adopting: $0) } ?? Data()
  }

  /// Whether bytes were encrypted as `encrypt` would do it now, or with a key that is to be replaced.
  public func isCurrent(_ data: Data) -> Bool { data.withUnsafeBytes(isCurrent) }
}
