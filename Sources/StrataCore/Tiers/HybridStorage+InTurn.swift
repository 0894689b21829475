extension HybridStorage where Front: SyncStorageAware, Back: SyncStorageAware {
  /// Returns the entry as `entryIfPresent` does, for a chain that has asked the front before, that no other store uses,
  /// and that calls each operation in the key's turn. The tiers then need no turn of their own.
  @inlinable
  package func entryInTurn(forKey key: Key) throws -> Entry<TypeWrapper>? {
    try tiers.entryInTurn(forKey: key)
  }
}

extension CombinedStorage where Front: SyncStorageAware, Back: SyncStorageAware {
  /// Reads the front, then the back, and copies an entry found in the back to the front. The caller has the key's turn,
  /// in an order in which all other operations of the key are.
  @inlinable
  func entryInTurn(forKey key: Key) throws -> Entry<Value>? {
    // An entry of a back that reports changes is copied under the watch of `coherence`.
    if let coherence { return try missed(key, coherence) }
    return try find(
      key, inFront: { try front.entryIfPresent(forKey: key) },
      inBack: { try back.entryIfPresent(forKey: key) })
  }
}
