#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A cipher that encrypts and decrypts bytes. It is called on any thread, also concurrently.
///
/// ```swift
/// struct Enclave: Encryptor {
///   func encrypt(data: Data) async throws -> Data { try await hardware.encrypt(data) }
///   func decrypt(data: Data) async throws -> Data { try await hardware.decrypt(data) }
/// }
/// ```
public protocol Encryptor: Sendable {
  /// Encrypts bytes.
  func encrypt(data: Data) async throws -> Data
  /// Decrypts bytes that `encrypt` has returned. Throws on any other bytes.
  func decrypt(data: Data) async throws -> Data
}

/// An encryptor that returns bytes unchanged, for tests and for stores that encrypt by themselves.
///
/// ```swift
/// let encryptor: any Encryptor = isTest ? NoEncryptor() : SodiumEncryptor(ring)
/// ```
public struct NoEncryptor: Encryptor {
  /// Creates an encryptor.
  public init() {}

  /// Returns the same bytes.
  public func encrypt(data: Data) async throws -> Data { data }

  /// Returns the same bytes.
  public func decrypt(data: Data) async throws -> Data { data }
}
