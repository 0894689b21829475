// Generated from CombinedStorage+AsyncConditional.swift by `make twins`.
extension CombinedStorage: SyncConditionalStorage
where Front: SyncStorageAware, Back: SyncConditionalStorage {
  /// Asks the back, which decides for all its writers. If it has stored the value, stores it in the front too, or drops
  /// the key from a coherent front.
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

  /// Asks the back, which decides for all its writers. A value that only the front holds is dropped: the back no longer
  /// has it, or never had it.
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
