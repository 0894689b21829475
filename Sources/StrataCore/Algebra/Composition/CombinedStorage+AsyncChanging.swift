// sync: extension CombinedStorage where Front: SyncStorageAware, Back: SyncStorageAware {
extension CombinedStorage {
  /// Changes the back, then the front. If either fails, the front drops the key.
  @usableFromInline  // sync: @inlinable
  package func change(_ key: Key, _ change: StoreChange<Value>, _ how: How) async throws -> Bool {
    // Once the back has made a change, it can no longer be refused because the front would block.
    if how.contains(.atOnce), coherence != nil || front.mayBlock { throw WouldWait() }
    if how.contains(.inTurn) { return try await changeInTurn(key, change, how) }
    // sync: if how.contains(.atOnce) { return try order.changeAtOnce(key) { try changeInTurn(key, change, how) } }
    if how.contains(.atOnce) { throw WouldWait() }
    return try await order.withTurn(.key(key)) { try await changeInTurn(key, change, how) }
  }

  @usableFromInline  // sync: @inlinable
  func changeInTurn(_ key: Key, _ change: StoreChange<Value>, _ how: How) async throws -> Bool {
    if case .forget = change { return try await front.change(key, change, []) }
    let below = how.subtracting(.inTurn)
    let (inBack, inFront) = try await eachWithItsExpiry(change.resolved(by: clock), forKey: key, below)
    return try await droppingOnFailure([key]) {
      let isMade = try await back.change(key, inBack, below)
      if !isMade, case .setIfAbsent = inBack { return false }
      // Only entries that were read from a back that reports changes are covered by its invalidations.
      if isMade, coherence == nil {
        if try await finishing({ try await front.change(key, inFront, []) }) { return true }
      }
      try await front.change(key, .remove, [])
      return isMade
    }
  }

  /// Returns the change of the back and that of the front. A replaced value keeps the expiry of each tier, and what the
  /// back has stored if absent, the front stores anyhow.
  @usableFromInline  // sync: @inlinable
  func eachWithItsExpiry(
    _ change: StoreChange<Value>, forKey key: Key, _ how: How
  ) async throws -> (StoreChange<Value>, StoreChange<Value>) {
    switch change {
    case .replace(let object, let expiry):
      let inBack = try await kept(back.read(key, how.union(.expiryOnly))?.expiry) ?? expiry
      let inFront =
        try await kept(front.read(key, how.union(.expiryOnly))?.expiry) ?? inBack.flatMap(lifetime)
      return (.replace(object, inBack), .replace(object, inFront))
    case .setIfAbsent(let object, let expiry): return (change, .set(object, expiry))
    case .set, .touch, .remove, .forget: return (change, change)
    }
  }

  /// Changes many keys, in one batch per tier, the back first.
  @usableFromInline
  package func change(_ batch: StoreBatch<Key, Value>, _ how: How) async throws {
    if how.contains(.atOnce) { throw WouldWait() }
    let batch = batch.resolved(by: clock)
    try await order.withTurn(TurnScope(batch.keys)) {
      try await droppingOnFailure(batch.keys) {
        try await back.change(batch, [])
        let inFront = coherence == nil ? batch : .remove(batch.keys)
        try await finishing { try await front.change(inFront, []) }
      }
    }
  }

  /// Removes entries from both tiers, from the front even if the back fails. The removal of all entries runs alone, so
  /// that no concurrent read copies an entry to the front afterwards.
  @usableFromInline
  package func clear(_ extent: StoreExtent) async throws {
    if extent == .expired { return try await clearTiers(extent) { try await front.clear(extent) } }
    try await order.withTurn(.everything) {
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

  /// Performs a change. If it fails, drops the keys from the front before it throws, so that the next read returns the
  /// back's value.
  @usableFromInline  // sync: @inlinable
  func droppingOnFailure<R>(
    _ keys: @autoclosure () -> [Key], _ change: () async throws -> R
  ) async throws -> R {
    do { return try await change() } catch { throw await afterDropping(keys(), error) }
  }

  /// Drops keys from the front after a failed change. Returns the error to throw.
  @usableFromInline
  func afterDropping(_ keys: [Key], _ error: any Error) async -> any Error {
    // If only the front is written, it has refused the change and keeps its entry. One that would wait has not begun.
    if back is any UnwrittenBack || error is WouldWait { return error }
    do {
      try await order.regardless { try await front.change(.remove(keys), []) }
      return error
    } catch let second {
      return doubleFault(error, second, forKey: keys.count == 1 ? keys.first : nil)
    }
  }
}
