// Generated from CombinedStorage+AsyncReading.swift by `make twins`.
extension CombinedStorage: SyncStorageAware
where Front: SyncStorageAware, Back: SyncStorageAware {
  /// Returns the entry from the front, or else from the back. An entry found in the back is copied to the front.
  @inlinable
  package func read(_ key: Key, _ how: How) throws -> Entry<Value>? {
    if !how.isEmpty { return try readSpecially(key, how) }
    if isSuspect(key) { return try missed(key) }
    if peeksAll {
      if let entry = front.peek(forKey: key), entry.isLive(by: clock) {
        front.noteHit(key)
        return entry
      }
      return try missed(key)
    }
    let mark = order.mark(of: key)
    let entry = try front.read(key, [])
    return entry.isLive(by: clock) ? entry : try missed(key, inFront: entry, mark)
  }

  @inlinable
  func readSpecially(_ key: Key, _ how: How) throws -> Entry<Value>? {
    if how == .inTurn { return try readInTurn(key, []) }
    if how.contains(.quietly) { return peek(forKey: key) }
    if how.contains(.authoritative) { return try readBack([key], how)[key] }
    if how.contains(.expiryOnly) { return try readExpiry(of: key, how.subtracting(.inTurn)) }
    if how.contains(.inTurn) { return try readInTurn(key, how.subtracting(.inTurn)) }
    return try order.atOnce(key, reads: true) { try readInTurn(key, how) }
  }

  /// Returns the expiry of the entry that a read would return.
  @inlinable
  func readExpiry(of key: Key, _ how: How) throws -> Entry<Value>? {
    let inFront = isSuspect(key) ? nil : try front.read(key, how)
    if inFront.isLive(by: clock) { return inFront }
    return try back.read(key, how) ?? inFront
  }

  /// Reads for a caller that has the key's turn.
  @inlinable
  func readInTurn(_ key: Key, _ how: How) throws -> Entry<Value>? {
    if let coherence {
      // A read of a back that reports changes must be watched for invalidations, and a lookup at once is not.
      if how.contains(.atOnce) { throw WouldWait() }
      return try missed(key, coherence)
    }
    if how.contains(.atOnce), peeksAll { return try peekThenAskBack(key, how) }
    return try find(key, front.read(key, how), how)
  }

  /// Returns the entry of a key that is absent from the front, or has expired there. `inFront` is what the front has
  /// returned since the mark.
  @inlinable
  func missed(_ key: Key, inFront: Entry<Value>? = nil, _ mark: Int? = nil) throws -> Entry<Value>? {
    // With a back that reports changes, the preceding read's result may be too old.
    if let coherence { return try missed(key, coherence) }
    return try order.sharedRead(of: key) {
      if let mark, order.hasMerelyBegun(key, since: mark) { return try find(key, inFront, []) }
      return try find(key, front.read(key, []), [])
    }
  }

  @usableFromInline
  func missed(_ key: Key, _ coherence: Coherence<Key>) throws -> Entry<Value>? {
    // The preceding read's result may be older than an invalidation that came before this read began.
    try order.sharedRead(of: key, unless: { $0.watch?.isOutdated(key) == true }) {
      try look(for: key, coherence)
    }.entry
  }

  /// Returns the front's entry if it is valid. Otherwise reads the back, and copies its entry to the front. Call it in
  /// the key's turn.
  @inlinable
  func find(_ key: Key, _ inFront: Entry<Value>?, _ how: How) throws -> Entry<Value>? {
    if inFront.isLive(by: clock) { return inFront }
    guard let inBack = try back.read(key, how) else { return inFront }
    if inBack.isLive(by: clock) {
      // Copying the entry to the front may block.
      if how.contains(.atOnce), front.mayBlock { throw WouldWait() }
      copy(inBack, forKey: key)
    }
    return inBack
  }

  private func look(for key: Key, _ coherence: Coherence<Key>) throws -> Sighting<Key, Value> {
    let watch = coherence.watch([key])
    let isSuspect = isSuspect(key)
    let inFront = isSuspect ? nil : try front.read(key, [])
    if inFront.isLive(by: clock) { return Sighting(entry: inFront, watch: watch) }
    let inBack = try back.read(key, [])
    if let inBack, inBack.isLive(by: clock) {
      promote([key: inBack], watch)
    } else if isSuspect {
      // Remove the front's entry: a caller that has observed the removal must not see the old value again.
      try front.base.change(key, .remove, [])
    }
    return Sighting(entry: inBack ?? inFront, watch: watch)
  }

  /// Returns many entries from the front, and the missing ones from the back in one batch.
  @usableFromInline
  package func read(_ keys: [Key], _ how: How) throws -> [Key: Entry<Value>] {
    if !how.allowsBatch { return try readEach(keys, how) }
    if how.contains(.authoritative) { return try readBack(keys, how) }
    let cached =
      peeksAll ? peek(forKeys: keys) : try inFront(keys).filter { $0.value.isLive(by: clock) }
    let wanted = Set(keys).subtracting(cached.keys)
    if wanted.isEmpty { return cached }
    return try order.withTurn(.keys(wanted), reads: true) {
      let watch = coherence?.watch(Array(wanted))
      let suspects = coherence == nil ? [] : wanted.filter(isSuspect)
      let inFront = try inFront(Array(wanted))
      let missing = wanted.filter { !inFront[$0].isLive(by: clock) }
      if missing.isEmpty { return cached.merging(inFront) { $1 } }
      let inBack = try back.read(Array(missing), [])
      let live = inBack.filter { $0.value.isLive(by: clock) }
      promote(live, watch)
      // Remove the front's entries: a caller that has observed the removals must not see the old values again.
      let gone = suspects.filter { live[$0] == nil }
      if !gone.isEmpty { try front.base.change(.remove(Array(gone)), []) }
      return cached.merging(inFront) { $1 }.merging(inBack) { $1 }
    }
  }

  /// Returns the entries of the back, and stores them in the front in place of its own.
  @usableFromInline
  func readBack(_ keys: [Key], _ how: How) throws -> [Key: Entry<Value>] {
    if how.contains(.atOnce) { throw WouldWait() }
    let below = how.subtracting(.inTurn)
    if isBackUnwritten {
      // The front is authoritative, and may have tiers of its own.
      let inFront = try front.read(keys, below)
      let missing = keys.filter { !inFront[$0].isLive(by: clock) }
      return missing.isEmpty ? inFront : inFront.merging(try read(missing, [])) { $1 }
    }
    if how.contains(.inTurn) { return try readBackInTurn(keys, below) }
    return try order.withTurn(TurnScope(keys), reads: true) { try readBackInTurn(keys, below) }
  }

  private func readBackInTurn(_ keys: [Key], _ how: How) throws -> [Key: Entry<Value>] {
    let watch = coherence?.watch(keys)
    let inBack = try back.read(keys, how)
    let live = inBack.filter { $0.value.isLive(by: clock) }
    // What the front cannot store must not leave the older value there.
    let gone = promote(live, watch) + keys.filter { live[$0] == nil }
    if !gone.isEmpty { try front.base.change(.remove(gone), []) }
    return inBack
  }

  /// Returns the entries of the front that may be served.
  private func inFront(_ keys: [Key]) throws -> [Key: Entry<Value>] {
    try front.read(coherence == nil ? keys : keys.filter { !isSuspect($0) }, [])
  }

  /// Copies entries that were read from the back to the front. Returns the keys of those that the front has refused.
  @discardableResult
  private func promote(_ entries: [Key: Entry<Value>], _ watch: ReadWatch<Key>?) -> [Key] {
    var refused: [Key] = []
    for (key, entry) in entries {
      guard let watch else {
        if !copy(entry, forKey: key) { refused.append(key) }
        continue
      }
      do {
        try watch.putting(key) {
          if !copy(entry, forKey: key) { refused.append(key) }
        } drop: {
          try front.base.change(key, .remove, [])
        }
      } catch {
        // The front could not drop an outdated value, and serves nothing until it has been emptied.
      }
    }
    return refused
  }

  /// Copies an entry that was read from the back to the front. Returns `false` if the front refuses it, for example
  /// because of its limit. It has reported its error then, and the value is read from the back all the same.
  @inlinable
  @discardableResult
  func copy(_ inBack: Entry<Value>, forKey key: Key) -> Bool {
    do {
      try front.promote(key, .set(inBack.object, lifetime(inBack.expiry)))
      return true
    } catch { return false }
  }
}
