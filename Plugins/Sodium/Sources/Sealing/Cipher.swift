#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A `SecretKey` or a `KeyRing`, or for sealed boxes a `PublicKey` or a `KeyPair`: encrypts and decrypts bytes.
///
/// ```swift
/// func encrypted(_ text: String, with cipher: some Cipher) throws -> Data {
///   try cipher.encrypt(Data(text.utf8), for: "notes")
/// }
/// let note = try encrypted("Meet at noon.", with: ring)
/// let text = String(decoding: try ring.decrypt(note, for: "notes"), as: UTF8.self)
/// ```
///
/// Methods may be called on any thread, also concurrently.
public protocol Cipher: Sendable {
  /// Encrypts bytes for an identity. Equal bytes are encrypted differently on each call.
  func encrypt(_ plain: UnsafeRawBufferPointer, for identity: EntryIdentity) throws -> Data

  /// Decrypts bytes that were encrypted for the same identity. It calls `memory` once with the size of the plain bytes,
  /// and writes them there. Throws `EncryptorError.failedToDecrypt`; the memory then contains no plain text.
  func decrypt(
    _ sealed: UnsafeRawBufferPointer, for identity: EntryIdentity,
    into memory: (_ count: Int) throws -> UnsafeMutableRawBufferPointer) throws

  /// Whether the bytes were encrypted with the key that `encrypt` uses now. If not, encrypt the value again.
  func isCurrent(_ sealed: UnsafeRawBufferPointer) -> Bool
}

extension Cipher {
  /// Encrypts bytes for an identity. Equal bytes are encrypted differently on each call.
  public func encrypt(_ data: Data, for identity: EntryIdentity = .none) throws -> Data {
    try data.withUnsafeBytes { try encrypt($0, for: identity) }
  }

  /// Decrypts bytes that were encrypted for the same identity. Throws `EncryptorError.failedToDecrypt` for any other
  /// bytes.
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

  /// Whether the bytes were encrypted with the key that `encrypt` uses now. If not, encrypt the value again.
  public func isCurrent(_ data: Data) -> Bool { data.withUnsafeBytes(isCurrent) }
}
