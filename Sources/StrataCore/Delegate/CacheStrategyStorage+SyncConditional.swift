// Generated from CacheStrategyStorage+AsyncConditional.swift by `make twins`.
extension CacheStrategyStorage: SyncConditionalStorage where Base: SyncConditionalStorage {
  /// Calls `setIfAbsent` of the store, so that the operation is atomic for all its writers. A value that only the cache
  /// has does not count as stored.
  @usableFromInline
  package func setIfAbsent(_ object: Value, forKey key: Key, expiry: Expiry?) throws -> Bool {
    let expiry = expiry?.resolved(by: clock)
    if strategy == .noCache { return try base.setIfAbsent(object, forKey: key, expiry: expiry) }
    return try changes.withTurn(.key(key)) {
      guard try base.setIfAbsent(object, forKey: key, expiry: expiry) else { return false }
      let expiries = expiriesInStore(of: CollectionOfOne(key), savedWith: expiry, orElse: ownLifetime)
      try overtake(.key(key)) { try cacheAll([key: object], expiry, each: expiries) }
      return true
    }
  }

  /// Calls `touch` of the store, so that the operation is atomic for all its writers.
  @usableFromInline
  package func touch(forKey key: Key, expiry: Expiry) throws -> Bool {
    let expiry = expiry.resolved(by: clock)
    if strategy == .noCache { return try base.touch(forKey: key, expiry: expiry) }
    return try changes.withTurn(.key(key)) {
      let isStored: Bool
      do { isStored = try base.touch(forKey: key, expiry: expiry) } catch {
        throw settling(after: error) { try shorten(key, expiry) }
      }
      try settle(key, expiry, isStored: isStored)
      return isStored
    }
  }
}
