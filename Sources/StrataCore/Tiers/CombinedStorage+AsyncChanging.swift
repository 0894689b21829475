// sync: extension CombinedStorage where Front: SyncStorageAware, Back: SyncStorageAware {
extension CombinedStorage {
  /// Changes the back, then the front. If either fails, the front drops the key.
  @usableFromInline  // sync: @inlinable
  package func change(_ key: Key, _ change: StoreChange<Value>, _ how: How) async throws -> Bool {
    // Once the back has made a change, it can no longer be refused because the front would block.
    if how.contains(.atOnce), coherence != nil || front.mayBlock { throw WouldWait() }
    return try await order.withTurn(of: key, how) {
      let how = how.subtracting(.inTurn)
      if change.kind.isSameInAllTiers { return try await commit(key, change, change, how) }
      if change.kind.isConditional, isBackUnwritten {
        // A back that is only read makes no change, so it cannot tell whether a condition holds.
        if try await read(key, .inTurn).isLive(by: clock) == change.hasObject { return false }
      }
      return try await changeEach(key, change.resolved(by: clock), how)
    }
  }

  /// Makes a change of the back and that of the front. A replaced value keeps the expiry of each tier, and what the
  /// back has stored if absent, the front stores anyhow.
  @usableFromInline  // sync: @inlinable
  func changeEach(_ key: Key, _ change: StoreChange<Value>, _ how: How) async throws -> Bool {
    switch change.kind {
    case .forget: return try await front.change(key, change, [])
    case .replace(let expiry):
      let inBack = try await kept(back.read(key, how.union(.expiryOnly))?.expiry) ?? expiry
      let inFront =
        try await kept(front.read(key, how.union(.expiryOnly))?.expiry) ?? inBack.flatMap(lifetime)
      return try await commit(key, .replace(change.object, inBack), .replace(change.object, inFront), how)
    case .setIfAbsent(let expiry):
      return try await commit(key, change, .set(change.object, expiry), how)
    case .set, .touch, .remove: return try await commit(key, change, change, how)
    }
  }

  /// Changes the back, then the front. If either fails, the front drops the key, so that the next read returns the
  /// back's value. A value that is too large for the front alone stays in the back, and the change has been made.
  @usableFromInline  // sync: @inlinable
  func commit(
    _ key: Key, _ inBack: StoreChange<Value>, _ inFront: StoreChange<Value>, _ how: How
  ) async throws -> Bool {
    do {
      fills.overtake(key)
      let isMade = try await back.change(key, inBack, how)
      // Only entries that were read from a back that reports changes are covered by its invalidations.
      if isMade, coherence == nil {
        do {
          if try await finishing({ try await front.change(key, inFront, []) }) { return true }
        } catch StorageError.tooLarge where !isBackUnwritten {}
      } else if !isMade, case .setIfAbsent = inBack.kind {
        return false
      }
      try await front.base.change(key, .remove, [])
      return isMade
    } catch {
      throw await afterDropping([key], error)
    }
  }

  /// Changes many keys, in one batch per tier, the back first.
  @usableFromInline
  package func change(_ batch: StoreBatch<Key, Value>, _ how: How) async throws {
    if how.contains(.atOnce) { throw WouldWait() }
    let batch = batch.resolved(by: clock)
    try await order.withTurn(TurnScope(batch.keys)) {
      do {
        fills.overtake(batch.keys)
        try await back.change(batch, [])
        let inFront = coherence == nil ? batch : .remove(batch.keys)
        do { try await finishing { try await front.change(inFront, []) } } catch StorageError.tooLarge
          where !isBackUnwritten
        {
          try await front.base.change(.remove(batch.keys), [])
        }
      } catch {
        throw await afterDropping(batch.keys, error)
      }
    }
  }

  /// Removes entries from both tiers, from the front even if the back fails. The removal of all entries runs alone, so
  /// that no concurrent read copies an entry to the front afterwards.
  @usableFromInline
  package func clear(_ extent: StoreExtent) async throws {
    if extent == .expired { return try await clearTiers(extent) { try await front.clear(extent) } }
    try await order.withTurn(.everything) {
      fills.overtakeAll()
      try await clearTiers(extent) { try await order.regardless { try await front.clear(extent) } }
    }
  }

  private func clearTiers(_ extent: StoreExtent, _ clearFront: () async throws -> Void) async throws {
    do { try await back.clear(extent) } catch {
      do { try await clearFront() } catch let second { throw doubleFault(error, second) }
      throw error
    }
    try await clearFront()
  }

  /// Drops keys from the front after a failed change. Returns the error to throw.
  @usableFromInline
  func afterDropping(_ keys: [Key], _ error: any Error) async -> any Error {
    // If only the front is written, it has refused the change and keeps its entry. One that would wait has not begun.
    if isBackUnwritten || error is WouldWait { return error }
    do {
      try await order.regardless { try await front.base.change(.remove(keys), []) }
      return error
    } catch let second {
      return doubleFault(error, second, forKey: keys.count == 1 ? keys.first : nil)
    }
  }
}
