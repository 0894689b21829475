import StrataDelegate

extension StorageError {
  /// The keychain is locked. A user or a program with the key must unlock it first.
  public static let locked = StorageError(.init("locked"), "the keychain is locked")
  /// This user or program lacks the permission.
  public static let denied = StorageError(.init("denied"), "the keychain refuses this user or program")
  /// The keychain's service does not answer, or the program runs outside of a login session.
  public static let unreachable = StorageError(.init("unreachable"), "the keychain cannot be reached")
  /// Another process or thread holds the vault's lock. Nothing was changed.
  public static let busy = StorageError(.init("busy"), "the vault is locked by another writer")
  /// The vault is locked with another key or passphrase. It is left unchanged.
  public static let wrongKey = StorageError(.init("wrongKey"), "the key does not open the vault")
  /// The user's quota is exhausted. Stored secrets are unchanged.
  public static let quotaExceeded = StorageError(
    .init("quotaExceeded"), "the keychain's quota for this user is exhausted")
}

extension KeychainError.Condition {
  /// Another process or thread held the vault's lock for longer than `lockTimeout`.
  public static let busy = KeychainError.Condition("busy")
}

extension KeychainError {
  /// Converts an error of a keychain's store to an error of one item.
  init(_ kind: Kind, _ error: StorageError, account: String) {
    let conditions: [StorageError.Code: Condition] = [
      StorageError.locked.code: .locked, StorageError.denied.code: .denied,
      StorageError.unreachable.code: .unreachable, StorageError.wrongKey.code: .wrongKey,
      StorageError.malformedFileAttributes.code: .damaged, StorageError.tooLarge.code: .tooLarge,
      StorageError.quotaExceeded.code: .quotaExceeded, StorageError.busy.code: .busy,
    ]
    self.init(
      kind, condition: conditions[error.code], code: (error.cause as? KeychainFailure)?.code,
      reason: error.place.map { "\(error.message) [at: \($0)]" } ?? error.message, account: account,
      cause: error)
  }
}
