// sync: extension CombinedStorage: SyncConditionalStorage
// sync: where Front: SyncStorageAware, Back: SyncConditionalStorage {
extension CombinedStorage: ConditionalStorage where Back: ConditionalStorage {
  /// Calls `setIfAbsent` of the back, so that the operation is atomic for all writers of the back. If the back stores
  /// the value, stores it in the front too, or drops the key from a coherent front.
  @usableFromInline
  package func setIfAbsent(_ object: Value, forKey key: Key, expiry: Expiry?) async throws -> Bool {
    let expiry = expiry?.resolved(by: clock)
    return try await order.withTurn(.key(key)) {
      try await droppingOnFailure([key]) {
        guard try await back.setIfAbsent(object, forKey: key, expiry: expiry) else { return false }
        if coherence == nil {
          try await finishing { try await front.setObject(object, forKey: key, expiry: expiry) }
        } else {
          try await front.removeObject(forKey: key)
        }
        return true
      }
    }
  }

  /// Calls `touch` of the back, so that the operation is atomic for all writers of the back. Drops a value that only
  /// the front holds: the back no longer has it, or never had it.
  @usableFromInline
  package func touch(forKey key: Key, expiry: Expiry) async throws -> Bool {
    let expiry = expiry.resolved(by: clock)
    return try await order.withTurn(.key(key)) {
      try await droppingOnFailure([key]) {
        let isStored = try await back.touch(forKey: key, expiry: expiry)
        let inFront = isStored && coherence == nil ? try await front.entryIfPresent(forKey: key) : nil
        if let inFront, isLive(inFront) {
          try await front.setObject(inFront.object, forKey: key, expiry: expiry)
        } else {
          try await front.removeObject(forKey: key)
        }
        return isStored
      }
    }
  }
}
