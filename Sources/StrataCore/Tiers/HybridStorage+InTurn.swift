extension HybridStorage where Front: SyncStorageAware, Back: SyncStorageAware {
  /// Returns the entry as `entryIfPresent` does, for a caller that has already read the front: the front is read again
  /// only in the key's turn.
  @inlinable
  package func entryInTurn(forKey key: Key) throws -> Entry<TypeWrapper>? { try tiers.missed(key) }
}
