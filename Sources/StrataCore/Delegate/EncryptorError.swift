#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What an encryptor can fail at, and why.
///
/// Two errors are equal when they are failures of the same kind, so `catch EncryptorError.failedToDecrypt` holds
/// whatever the reason. No message has any of the bytes in it.
public struct EncryptorError: Error, Sendable {
  /// What failed.
  public enum Kind: Hashable, Sendable {
    /// The bytes could not be encrypted.
    case failedToEncrypt
    /// The bytes could not be decrypted.
    case failedToDecrypt
  }

  /// What failed.
  public let kind: Kind
  /// The code of the library or of the system below, where it gave one.
  public let code: Int?
  /// Why it failed and what to do about it, where that is known.
  public let reason: String?
  /// The key of the entry concerned, where there is one.
  public let key: (any Sendable)?

  /// Makes an error.
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

  /// The same failure with its circumstances.
  public func with(code: Int? = nil, reason: String? = nil, key: (any Sendable)? = nil) -> EncryptorError {
    EncryptorError(
      kind, code: code ?? self.code, reason: reason ?? self.reason, key: key ?? self.key)
  }

  /// What went wrong, in a sentence for a person.
  public var errorMessage: String {
    guard let reason else {
      return switch kind {
      case .failedToEncrypt: "The data could not be encrypted."
      case .failedToDecrypt:
        "The data could not be decrypted: it is damaged or was encrypted with another key."
      }
    }
    return switch kind {
    case .failedToEncrypt: "The data could not be encrypted: \(reason)."
    case .failedToDecrypt: "The data could not be decrypted: \(reason)."
    }
  }
}

extension EncryptorError: Equatable {
  /// Whether both are failures of the same kind; the code, the reason and the key do not count.
  public static func == (left: EncryptorError, right: EncryptorError) -> Bool { left.kind == right.kind }
}

extension EncryptorError: LocalizedError {
  /// The same as `errorMessage`.
  public var errorDescription: String? { errorMessage }
}

extension EncryptorError: CustomStringConvertible {
  /// All that is known, in one line.
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
