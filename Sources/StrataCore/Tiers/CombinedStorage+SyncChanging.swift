// Generated from CombinedStorage+AsyncChanging.swift by `make twins`.
extension CombinedStorage where Front: SyncStorageAware, Back: SyncStorageAware {
  /// Changes the back, then the front. If either fails, the front drops the key.
  @inlinable
  package func change(_ key: Key, _ change: StoreChange<Value>, _ how: How) throws -> Bool {
    // Once the back has made a change, it can no longer be refused because the front would block.
    if how.contains(.atOnce), coherence != nil || front.mayBlock { throw WouldWait() }
    return try order.withTurn(of: key, how) {
      let how = how.subtracting(.inTurn)
      if change.kind.isSameInAllTiers { return try commit(key, change, change, how) }
      if change.kind.isConditional, isBackUnwritten {
        // A back that is only read makes no change, so it cannot tell whether a condition holds.
        if try read(key, .inTurn).isLive(by: clock) == change.hasObject { return false }
      }
      return try changeEach(key, change.resolved(by: clock), how)
    }
  }

  /// Makes a change of the back and that of the front. A replaced value keeps the expiry of each tier, and what the
  /// back has stored if absent, the front stores anyhow.
  @inlinable
  func changeEach(_ key: Key, _ change: StoreChange<Value>, _ how: How) throws -> Bool {
    switch change.kind {
    case .forget: return try front.change(key, change, [])
    case .replace(let expiry):
      let inBack = try kept(back.read(key, how.union(.expiryOnly))?.expiry) ?? expiry
      let inFront =
        try kept(front.read(key, how.union(.expiryOnly))?.expiry) ?? inBack.flatMap(lifetime)
      return try commit(key, .replace(change.object, inBack), .replace(change.object, inFront), how)
    case .setIfAbsent(let expiry):
      return try commit(key, change, .set(change.object, expiry), how)
    case .set, .touch, .remove: return try commit(key, change, change, how)
    }
  }

  /// Changes the back, then the front. If either fails, the front drops the key, so that the next read returns the
  /// back's value. A value that is too large for the front alone stays in the back, and the change has been made.
  @inlinable
  func commit(
    _ key: Key, _ inBack: StoreChange<Value>, _ inFront: StoreChange<Value>, _ how: How
  ) throws -> Bool {
    do {
      fills.overtake(key)
      let isMade = try back.change(key, inBack, how)
      // Only entries that were read from a back that reports changes are covered by its invalidations.
      if isMade, coherence == nil {
        do {
          if try finishing({ try front.change(key, inFront, []) }) { return true }
        } catch StorageError.tooLarge where !isBackUnwritten {}
      } else if !isMade, case .setIfAbsent = inBack.kind {
        return false
      }
      try front.base.change(key, .remove, [])
      return isMade
    } catch {
      throw afterDropping([key], error)
    }
  }

  /// Changes many keys, in one batch per tier, the back first.
  @usableFromInline
  package func change(_ batch: StoreBatch<Key, Value>, _ how: How) throws {
    if how.contains(.atOnce) { throw WouldWait() }
    let batch = batch.resolved(by: clock)
    try order.withTurn(TurnScope(batch.keys)) {
      do {
        fills.overtake(batch.keys)
        try back.change(batch, [])
        let inFront = coherence == nil ? batch : .remove(batch.keys)
        do { try finishing { try front.change(inFront, []) } } catch StorageError.tooLarge
          where !isBackUnwritten
        {
          try front.base.change(.remove(batch.keys), [])
        }
      } catch {
        throw afterDropping(batch.keys, error)
      }
    }
  }

  /// Removes entries from both tiers, from the front even if the back fails. The removal of all entries runs alone, so
  /// that no concurrent read copies an entry to the front afterwards.
  @usableFromInline
  package func clear(_ extent: StoreExtent) throws {
    if extent == .expired { return try clearTiers(extent) { try front.clear(extent) } }
    try order.withTurn(.everything) {
      fills.overtakeAll()
      try clearTiers(extent) { try order.regardless { try front.clear(extent) } }
    }
  }

  private func clearTiers(_ extent: StoreExtent, _ clearFront: () throws -> Void) throws {
    do { try back.clear(extent) } catch {
      do { try clearFront() } catch let second { throw doubleFault(error, second) }
      throw error
    }
    try clearFront()
  }

  /// Drops keys from the front after a failed change. Returns the error to throw.
  @usableFromInline
  func afterDropping(_ keys: [Key], _ error: any Error) -> any Error {
    // If only the front is written, it has refused the change and keeps its entry. One that would wait has not begun.
    if isBackUnwritten || error is WouldWait { return error }
    do {
      try order.regardless { try front.base.change(.remove(keys), []) }
      return error
    } catch let second {
      return doubleFault(error, second, forKey: keys.count == 1 ? keys.first : nil)
    }
  }
}
