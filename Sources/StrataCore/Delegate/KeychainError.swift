#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What a keychain can fail at.
public enum KeychainError: LocalizedError {
  /// The item could not be saved.
  case unableToSave
  /// The item could not be read; not that there is none.
  case unableToRetrieve
  /// The item could not be deleted.
  case unableToDelete

  /// What went wrong, in a sentence for a person.
  public var errorMessage: String {
    switch self {
    case .unableToSave: "The item could not be saved to the keychain."
    case .unableToRetrieve: "The item could not be read from the keychain."
    case .unableToDelete: "The item could not be deleted from the keychain."
    }
  }

  /// The same as `errorMessage`.
  public var errorDescription: String? { errorMessage }
}
