#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What a keychain can fail at, and why.
///
/// Two errors are equal when they are failures of the same kind, so `catch KeychainError.unableToSave` holds whatever
/// the reason; `condition` tells the reasons apart. No message has any of a secret in it.
public struct KeychainError: Error, Sendable {
  /// What failed.
  public enum Kind: Hashable, Sendable {
    /// The item could not be saved. What was stored before is still there.
    case unableToSave
    /// The item could not be read; not that there is none.
    case unableToRetrieve
    /// The item could not be deleted.
    case unableToDelete
  }

  /// The state that a keychain is in when it fails.
  public struct Condition: Hashable, Sendable, CustomStringConvertible {
    /// The name of the condition, as in `KeychainError.Condition`.
    public let description: String

    /// A condition of a keychain's own. Those of the same name are the same.
    public init(_ name: String) { description = name }

    /// It has to be unlocked first, by a person or a passphrase.
    public static let locked = Condition("locked")
    /// This user or this program may not do that there.
    public static let denied = Condition("denied")
    /// What is stored is no longer what was stored.
    public static let damaged = Condition("damaged")
    /// The key or passphrase is another than the one it was locked with.
    public static let wrongKey = Condition("wrongKey")
    /// Nobody answers: no service, no session, no file system.
    public static let unreachable = Condition("unreachable")
    /// The secret is larger than the keychain can hold.
    public static let tooLarge = Condition("tooLarge")
    /// The user may not keep more there.
    public static let quotaExceeded = Condition("quotaExceeded")
  }

  /// What failed.
  public let kind: Kind
  /// The state that the keychain was in, where that is known.
  public let condition: Condition?
  /// The code of the platform: an `errno`, an `OSStatus`, the code of a D-Bus error.
  public let code: Int?
  /// Why it failed and what to do about it, where that is known.
  public let reason: String?
  /// The account of the item.
  public let account: String?
  /// The error below this one.
  public let cause: (any Error)?

  /// Makes an error.
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

  /// The item could not be saved. What was stored before is still there.
  public static let unableToSave = KeychainError(.unableToSave)
  /// The item could not be read; not that there is none.
  public static let unableToRetrieve = KeychainError(.unableToRetrieve)
  /// The item could not be deleted.
  public static let unableToDelete = KeychainError(.unableToDelete)

  /// What went wrong, in a sentence for a person, and what to do about it.
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
  /// Whether both are failures of the same kind; all else does not count.
  public static func == (left: KeychainError, right: KeychainError) -> Bool { left.kind == right.kind }
}

extension KeychainError: LocalizedError {
  /// The same as `errorMessage`.
  public var errorDescription: String? { errorMessage }
}

extension KeychainError: CustomStringConvertible {
  /// All that is known, in one line.
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
