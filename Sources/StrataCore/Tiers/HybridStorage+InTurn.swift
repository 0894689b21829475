/// Operations for a chain that no other store uses, and that calls each operation in the key's turn in its own order.
/// The tiers then need no turn of their own.
extension HybridStorage where Front: SyncStorageAware, Back: SyncStorageAware {
  /// Returns the entry as `entryIfPresent` does, for a chain that has asked the front before.
  @inlinable
  package func entryInTurn(forKey key: Key) throws -> Entry<TypeWrapper>? {
    try tiers.entryInTurn(forKey: key)
  }

  @inlinable
  package func cachedInTurn(_ key: Key) -> CacheLookup<Entry<TypeWrapper>> {
    CacheLookup { try tiers.cachedInTurn(key) }
  }

  @inlinable
  package func setInTurn(_ object: TypeWrapper, forKey key: Key, expiry: Expiry?) throws {
    try encode(object, forKey: key)
    try tiers.setInTurn(object, forKey: key, expiry: expiry)
    object.forgetBytes()
  }

  @inlinable
  package func setAtOnceInTurn(_ object: TypeWrapper, forKey key: Key, expiry: Expiry?) throws -> Bool {
    try encode(object, forKey: key)
    guard try tiers.setAtOnceInTurn(object, forKey: key, expiry: expiry) else { return false }
    object.forgetBytes()
    return true
  }

  @inlinable
  package func replaceInTurn(_ object: TypeWrapper, forKey key: Key, expiry: Expiry?) throws {
    try encode(object, forKey: key)
    try tiers.replaceInTurn(object, forKey: key, expiry: expiry)
    object.forgetBytes()
  }

  @inlinable
  package func removeInTurn(_ key: Key) throws { try tiers.removeInTurn(key) }
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
