// Generated from CombinedStorage+AsyncConditional.swift by `make twins`.
extension CombinedStorage: SyncConditionalStorage
where Front: SyncStorageAware, Back: SyncConditionalStorage {
  /// Calls `setIfAbsent` of the back, so that the operation is atomic for all writers of the back. If the back stores
  /// the value, stores it in the front too, or drops the key from a coherent front.
  @usableFromInline
  package func setIfAbsent(_ object: Value, forKey key: Key, expiry: Expiry?) throws -> Bool {
    let expiry = expiry?.resolved(by: clock)
    return try order.withTurn(.key(key)) {
      try droppingOnFailure([key]) {
        guard try back.setIfAbsent(object, forKey: key, expiry: expiry) else { return false }
        if coherence == nil {
          try finishing { try front.setObject(object, forKey: key, expiry: expiry) }
        } else {
          try front.removeObject(forKey: key)
        }
        return true
      }
    }
  }

  /// Calls `touch` of the back, so that the operation is atomic for all writers of the back. Drops a value that only
  /// the front holds: the back no longer has it, or never had it.
  @usableFromInline
  package func touch(forKey key: Key, expiry: Expiry) throws -> Bool {
    let expiry = expiry.resolved(by: clock)
    return try order.withTurn(.key(key)) {
      try droppingOnFailure([key]) {
        let isStored = try back.touch(forKey: key, expiry: expiry)
        let inFront = isStored && coherence == nil ? try front.entryIfPresent(forKey: key) : nil
        if let inFront, isLive(inFront) {
          try front.setObject(inFront.object, forKey: key, expiry: expiry)
        } else {
          try front.removeObject(forKey: key)
        }
        return isStored
      }
    }
  }
}
