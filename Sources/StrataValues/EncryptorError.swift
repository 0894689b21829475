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

/// A failure of an encryptor, and its reason.
///
/// ```swift
/// do {
///   print(try users.object(forKey: "ada").name)
/// } catch EncryptorError.failedToDecrypt {
///   print("the value is damaged, or was encrypted with another key")
/// }
/// ```
///
/// Two errors are equal if they have the same kind, so `catch EncryptorError.failedToDecrypt` matches whatever the
/// reason. No message contains any of the bytes.
public struct EncryptorError: Error, Sendable {
  /// The kind of failure.
  public enum Kind: Hashable, Sendable {
    /// The bytes could not be encrypted.
    case failedToEncrypt
    /// The bytes could not be decrypted.
    case failedToDecrypt
  }

  /// The kind of failure.
  public let kind: Kind
  /// The code of the underlying library or system, or `nil` if it returned none.
  public let code: Int?
  /// The reason of the failure and what to do about it, or `nil` if it is unknown.
  public let reason: String?
  /// The key of the entry, or `nil` if there is none.
  public let key: (any Sendable)?

  /// Creates an error.
  public init(_ kind: Kind, code: Int? = nil, reason: String? = nil, key: (any Sendable)? = nil) {
    self.kind = kind
    self.code = code
    self.reason = reason
    self.key = key
  }

  /// The bytes could not be encrypted.
  public static let failedToEncrypt = EncryptorError(.failedToEncrypt)
  /// The bytes could not be decrypted: they are damaged, or were encrypted with another key or for another entry.
  public static let failedToDecrypt = EncryptorError(.failedToDecrypt)

  /// Returns this error with the given code, reason and key in place of its own.
  public func with(code: Int? = nil, reason: String? = nil, key: (any Sendable)? = nil) -> EncryptorError {
    EncryptorError(
      kind, code: code ?? self.code, reason: reason ?? self.reason, key: key ?? self.key)
  }

  /// A readable sentence that says what failed.
  public var errorMessage: String {
    let failure = "The data could not be \(kind == .failedToEncrypt ? "encrypted" : "decrypted")"
    if let reason { return "\(failure): \(reason)." }
    return kind == .failedToEncrypt
      ? "\(failure)." : "\(failure): it is damaged or was encrypted with another key."
  }
}

extension EncryptorError: Equatable {
  /// Returns whether both errors have the same kind. The code, the reason and the key do not count.
  public static func == (left: EncryptorError, right: EncryptorError) -> Bool { left.kind == right.kind }
}

extension EncryptorError: LocalizedError {
  /// The same as `errorMessage`.
  public var errorDescription: String? { errorMessage }
}

extension EncryptorError: CustomStringConvertible {
  /// The message and all known details in one line.
  public var description: String {
    var text = errorMessage
    if let code { text += " [code: \(code)]" }
    if let key { text += " [key: \(StorageError.shortened(key))]" }
    return text
  }
}

/// Lets `catch EncryptorError.failedToDecrypt` match.
public func ~= (pattern: EncryptorError, error: any Error) -> Bool {
  (error as? EncryptorError) == pattern
}
