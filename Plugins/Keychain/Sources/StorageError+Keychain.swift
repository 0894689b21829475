import StrataCore

extension StorageError {
  /// The keychain has to be unlocked first: by a person, or by whoever has the key.
  public static let locked = StorageError(.init("locked"), "the keychain is locked")
  /// This user or this program may not do that there.
  public static let denied = StorageError(.init("denied"), "the keychain refuses this user or program")
  /// Nobody answers: there is no service, or no session that it belongs to.
  public static let unreachable = StorageError(.init("unreachable"), "the keychain cannot be reached")
  /// Another process or thread keeps the vault locked. Nothing was changed.
  public static let busy = StorageError(.init("busy"), "the vault is locked by another writer")
  /// The key or passphrase is another than the one the vault was locked with. The vault stays as it is.
  public static let wrongKey = StorageError(.init("wrongKey"), "the key does not open the vault")
  /// The user may not keep more there. What was stored stays.
  public static let quotaExceeded = StorageError(
    .init("quotaExceeded"), "the keychain keeps no more for this user")
}

extension KeychainError.Condition {
  /// Another process or thread kept the vault locked for longer than this one waits.
  public static let busy = KeychainError.Condition("busy")
}

extension KeychainError {
  /// What a keychain's store said, as a failure of one item.
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
