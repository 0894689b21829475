#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A cipher that encrypts and decrypts bytes. It is called on any thread, also concurrently.
public protocol Encryptor: Sendable {
  /// Encrypts bytes.
  func encrypt(data: Data) async throws -> Data
  /// Decrypts bytes that `encrypt` has returned. Throws on any other bytes.
  func decrypt(data: Data) async throws -> Data
}

/// An encryptor that returns bytes unchanged, for tests and for stores that encrypt by themselves.
public struct NoEncryptor: Encryptor {
  /// Creates an encryptor.
  public init() {}

  /// Returns the same bytes.
  public func encrypt(data: Data) async throws -> Data { data }

  /// Returns the same bytes.
  public func decrypt(data: Data) async throws -> Data { data }
}
