extension CombinedStorage where Front: SyncStorageAware, Back: SyncStorageAware {
  /// Returns the result of a read if no tier has to wait for it, and no other operation has the key's turn or waits for
  /// it.
  @inlinable
  package func cachedEntry(forKey key: Key) -> CacheLookup<Entry<Value>> {
    CacheLookup { try order.atOnce(key) { try cachedInTurn(key) } }
  }

  /// Returns the result of a read. Throws `WouldWait` if a tier has to wait for it.
  @inlinable
  func cachedInTurn(_ key: Key) throws -> Entry<Value>? {
    // A read of a back that reports changes must be watched for invalidations, and this lookup is not.
    if suspectFlag != nil { throw WouldWait() }
    if peeksAll {
      if let entry = front.peek(forKey: key), isLive(entry) { return entry }
      // The front is read only after the back's lookup: if that has to wait, the front must not count a miss.
      let inBack = try back.cachedEntry(forKey: key).get()
      return try find(key, inFront: { try front.entryIfPresent(forKey: key) }, inBack: { inBack })
    }
    return try find(key, inFront: { try front.cachedEntry(forKey: key).get() }) {
      let inBack = try back.cachedEntry(forKey: key).get()
      // Copying the entry to the front may block.
      if front.mayBlock, isLive(inBack) { throw WouldWait() }
      return inBack
    }
  }

  /// Returns the expiry of the entry that a read would return, if no tier has to wait for it.
  @inlinable
  package func cachedExpiry(forKey key: Key) -> CacheLookup<Expiry> {
    CacheLookup {
      let inFront = isSuspect(key) ? nil : try front.cachedExpiry(forKey: key).get()
      if let inFront, !inFront.isExpired(by: clock) { return inFront }
      return try back.cachedExpiry(forKey: key).get() ?? inFront
    }
  }

  /// Stores a value in the back, then in the front, if neither tier has to wait, and no other operation has the key's
  /// turn or waits for it.
  @inlinable
  package func setObjectAtOnce(_ object: Value, forKey key: Key, expiry: Expiry?) throws -> Bool {
    try order.ifFree(key) { try setAtOnceInTurn(object, forKey: key, expiry: expiry) } ?? false
  }

  @inlinable
  func setAtOnceInTurn(_ object: Value, forKey key: Key, expiry: Expiry?) throws -> Bool {
    // Once the back has stored the value, the write can no longer be refused because the front would block.
    if coherence != nil || front.mayBlock { return false }
    let expiry = expiry?.resolved(by: clock)
    return try droppingOnFailure([key]) {
      guard try back.setObjectAtOnce(object, forKey: key, expiry: expiry) else { return false }
      try front.setObject(object, forKey: key, expiry: expiry)
      return true
    }
  }
}
