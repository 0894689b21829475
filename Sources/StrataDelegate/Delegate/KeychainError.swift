#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
import StrataAlgebra

/// A failure of a keychain, and its reason.
///
/// ```swift
/// do {
///   try await keychain.save(item: token)
/// } catch let error as KeychainError where error.condition == .locked {
///   print("unlock the keychain and try again")
/// }
/// ```
///
/// Two errors are equal if they have the same kind, so `catch KeychainError.unableToSave` matches whatever the reason;
/// `condition` distinguishes reasons. No message contains any part of a secret.
public struct KeychainError: Error, Sendable {
  /// The kind of failure.
  public enum Kind: Hashable, Sendable {
    /// The item could not be saved. A previous item is still stored.
    case unableToSave
    /// The item could not be read. An absent item is not a failure.
    case unableToRetrieve
    /// The item could not be deleted.
    case unableToDelete
  }

  /// The state of a keychain that causes a failure.
  public struct Condition: Hashable, Sendable, CustomStringConvertible {
    /// The name of the condition, as in `KeychainError.Condition`.
    public let description: String

    /// Creates a condition that is specific to a keychain. Conditions with the same name are equal.
    public init(_ name: String) { description = name }

    /// The keychain is locked: a person or a passphrase must unlock it first.
    public static let locked = Condition("locked")
    /// This user or this program lacks the permission.
    public static let denied = Condition("denied")
    /// The stored data is damaged.
    public static let damaged = Condition("damaged")
    /// The keychain was locked with another key or passphrase.
    public static let wrongKey = Condition("wrongKey")
    /// The keychain is unreachable: there is no service, session or file system.
    public static let unreachable = Condition("unreachable")
    /// The secret is larger than the keychain can hold.
    public static let tooLarge = Condition("tooLarge")
    /// The user's quota is exceeded.
    public static let quotaExceeded = Condition("quotaExceeded")
  }

  /// The kind of failure.
  public let kind: Kind
  /// The state of the keychain, or `nil` if it is unknown.
  public let condition: Condition?
  /// The platform's code: an `errno`, an `OSStatus` or the code of a D-Bus error.
  public let code: Int?
  /// The reason of the failure and what to do about it, or `nil` if it is unknown.
  public let reason: String?
  /// The account of the item.
  public let account: String?
  /// The underlying error.
  public let cause: (any Error)?

  /// Creates an error.
  public init(
    _ kind: Kind, condition: Condition? = nil, code: Int? = nil, reason: String? = nil,
    account: String? = nil, cause: (any Error)? = nil
  ) {
    self.kind = kind
    self.condition = condition
    self.code = code
    self.reason = reason
    self.account = account
    self.cause = cause
  }

  /// The item could not be saved. A previous item is still stored.
  public static let unableToSave = KeychainError(.unableToSave)
  /// The item could not be read. An absent item is not a failure.
  public static let unableToRetrieve = KeychainError(.unableToRetrieve)
  /// The item could not be deleted.
  public static let unableToDelete = KeychainError(.unableToDelete)

  /// A sentence for people that says what failed and what to do about it.
  public var errorMessage: String {
    let failure =
      switch kind {
      case .unableToSave: "The item could not be saved to the keychain"
      case .unableToRetrieve: "The item could not be read from the keychain"
      case .unableToDelete: "The item could not be deleted from the keychain"
      }
    return reason.map { "\(failure): \($0)." } ?? "\(failure)."
  }
}

extension KeychainError: Equatable {
  /// Returns whether both errors have the same kind. Nothing else counts.
  public static func == (left: KeychainError, right: KeychainError) -> Bool { left.kind == right.kind }
}

extension KeychainError: LocalizedError {
  /// The same as `errorMessage`.
  public var errorDescription: String? { errorMessage }
}

extension KeychainError: CustomStringConvertible {
  /// The message and all known details in one line.
  public var description: String {
    var text = errorMessage
    if let condition { text += " [\(condition)]" }
    if let code { text += " [code: \(code)]" }
    if let account { text += " [account: \(account)]" }
    return text
  }
}

/// Lets `catch KeychainError.unableToSave` match.
public func ~= (pattern: KeychainError, error: any Error) -> Bool {
  (error as? KeychainError) == pattern
}
