extension CacheStrategyStorage: ConditionalStorage where Base: ConditionalStorage {
  /// Calls `setIfAbsent` of the store, so that the operation is atomic for all its writers. A value that only the cache
  /// has does not count as stored.
  @usableFromInline
  package func setIfAbsent(_ object: Value, forKey key: Key, expiry: Expiry?) async throws -> Bool {
    let expiry = expiry?.resolved(by: clock)
    if strategy == .noCache { return try await base.setIfAbsent(object, forKey: key, expiry: expiry) }
    return try await changes.withTurn(.key(key)) {
      guard try await base.setIfAbsent(object, forKey: key, expiry: expiry) else { return false }
      let stored = await expiriesInStore(of: CollectionOfOne(key), savedWith: expiry)
      try overtake(.key(key)) { try cacheAll([key: object], expiry, inStore: stored) }
      return true
    }
  }

  /// Calls `touch` of the store, so that the operation is atomic for all its writers.
  @usableFromInline
  package func touch(forKey key: Key, expiry: Expiry) async throws -> Bool {
    let expiry = expiry.resolved(by: clock)
    if strategy == .noCache { return try await base.touch(forKey: key, expiry: expiry) }
    return try await changes.withTurn(.key(key)) {
      let isStored = try await base.touch(forKey: key, expiry: expiry)
      try settle(key, expiry, isStored: isStored)
      return isStored
    }
  }
}
