/// What is known of a value in front and the value behind it.
@usableFromInline
package enum TierAgreement: Sendable {
  /// They may differ.
  case unknown
  /// They are the same value. Their expiries may differ.
  case ofValues
  /// They are the same entry: nobody has written the one behind since the one in front was stored.
  case ofEntries
}

/// Tiers that can update a value for a caller that has the key's turn.
@usableFromInline
package protocol InTurnUpdating<Key, Value>: SyncUpdateableStorage {
  /// Updates a value as `update` does, and takes no turn.
  func updateInTurn(forKey key: Key, _ modify: (inout Value) throws -> Void) throws -> Value
}

extension HybridStorage: InTurnUpdating
where Front: SyncStorageAware, Back: SyncStorageAware & SyncUpdateableStorage {
  @inlinable
  package func updateInTurn(
    forKey key: Key, _ modify: (inout TypeWrapper) throws -> Void
  ) throws -> TypeWrapper {
    let stored = try tiers.updateInTurn(key, { $0.agreement(with: $1) }, modify)
    stored.forgetBytes()
    return stored
  }
}
