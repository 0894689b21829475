#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Makes bytes unreadable and readable again. Called on any thread, also at the same time.
public protocol Encryptor: Sendable {
  /// Turns readable bytes into others.
  func encrypt(data: Data) async throws -> Data
  /// Turns what `encrypt` made back; throws on bytes that it did not make.
  func decrypt(data: Data) async throws -> Data
}

/// Leaves bytes as they are: for tests, and for stores that encrypt on their own.
public struct NoEncryptor: Encryptor {
  /// Needs nothing.
  public init() {}

  /// The same bytes.
  public func encrypt(data: Data) async throws -> Data { data }

  /// The same bytes.
  public func decrypt(data: Data) async throws -> Data { data }
}
