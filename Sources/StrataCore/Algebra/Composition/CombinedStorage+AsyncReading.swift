// sync: extension CombinedStorage: SyncStorageAware, SyncNarrowStorage
// sync: where Front: SyncStorageAware, Back: SyncStorageAware {
extension CombinedStorage {
  /// Returns the entry from the front, or else from the back. An entry found in the back is copied to the front.
  @inlinable
  package func read(_ key: Key, _ how: How) async throws -> Entry<Value>? {
    if how.contains(.quietly) { return peek(forKey: key) }
    if how.contains(.expiryOnly) { return try await readExpiry(of: key, how) }
    if how.contains(.inTurn) { return try await readInTurn(key, how) }
    // sync: if how.contains(.atOnce) { return try order.atOnce(key) { try readInTurn(key, how) } }
    if how.contains(.atOnce) { return try peeked(key) }
    if isSuspect(key) { return try await missed(key) }
    if peeksAll {
      if let entry = front.peek(forKey: key), isLive(entry) { return entry }
      return try await missed(key)
    }
    let mark = order.mark(of: key)
    let entry = try await front.read(key, how)
    return isLive(entry) ? entry : try await missed(key, inFront: entry, mark)
  }

  /// Returns the expiry of the entry that a read would return.
  @usableFromInline  // sync: @inlinable
  func readExpiry(of key: Key, _ how: How) async throws -> Entry<Value>? {
    let how = how.subtracting(.inTurn)
    let inFront = isSuspect(key) ? nil : try await front.read(key, how)
    if isLive(inFront) { return inFront }
    return try await back.read(key, how) ?? inFront
  }

  /// Reads for a caller that has the key's turn.
  @usableFromInline  // sync: @inlinable
  func readInTurn(_ key: Key, _ how: How) async throws -> Entry<Value>? {
    let isAtOnce = how.contains(.atOnce)
    if let coherence {
      // A read of a back that reports changes must be watched for invalidations, and a lookup at once is not.
      if isAtOnce { throw WouldWait() }
      return try await missed(key, coherence)
    }
    let how = how.subtracting(.inTurn)
    if isAtOnce, peeksAll {
      if let entry = front.peek(forKey: key), isLive(entry) { return entry }
      // The front is read only after the back's lookup: if that has to wait, the front must not count a miss.
      let inBack = try await back.read(key, how)
      return try await find(key, inFront: { try await front.read(key, []) }, inBack: { inBack })
    }
    return try await find(key) {
      try await front.read(key, how)
    } inBack: {
      let inBack = try await back.read(key, how)
      // Copying the entry to the front may block.
      if isAtOnce, front.mayBlock, isLive(inBack) { throw WouldWait() }
      return inBack
    }
  }

  /// Returns the entry of a key that is absent from the front, or has expired there. `inFront` is what the front has
  /// returned since the mark.
  @usableFromInline  // sync: @inlinable
  func missed(_ key: Key, inFront: Entry<Value>? = nil, _ mark: Int? = nil) async throws -> Entry<Value>? {
    // With a back that reports changes, the preceding read's result may be too old.
    if let coherence { return try await missed(key, coherence) }
    return try await order.sharedRead(of: key) {
      try await find(key) {
        if let mark, order.hasMerelyBegun(key, since: mark) { return inFront }
        return try await front.read(key, [])
      } inBack: {
        try await back.read(key, [])
      }
    }
  }

  @usableFromInline
  func missed(_ key: Key, _ coherence: Coherence<Key>) async throws -> Entry<Value>? {
    // The preceding read's result may be older than an invalidation that came before this read began.
    try await order.sharedRead(of: key, unless: { $0.watch?.isOutdated(key) == true }) {
      try await look(for: key, coherence)
    }.entry
  }

  /// Reads the front, then the back, and copies an entry found in the back to the front. Call it in the key's turn.
  @usableFromInline  // sync: @inlinable
  func find(
    _ key: Key, inFront: () async throws -> Entry<Value>?, inBack: () async throws -> Entry<Value>?
  ) async throws -> Entry<Value>? {
    let inFront = try await inFront()
    if isLive(inFront) { return inFront }
    guard let inBack = try await inBack() else { return inFront }
    if isLive(inBack) { try await copy(inBack, forKey: key) }
    return inBack
  }

  private func look(for key: Key, _ coherence: Coherence<Key>) async throws -> Sighting<Key, Value> {
    let watch = coherence.watch([key])
    let isSuspect = isSuspect(key)
    let inFront = isSuspect ? nil : try await front.read(key, [])
    if isLive(inFront) { return Sighting(entry: inFront, watch: watch) }
    let inBack = try await back.read(key, [])
    if let inBack, isLive(inBack) {
      try await promote([key: inBack], watch)
    } else if isSuspect {
      // Remove the front's entry: a caller that has observed the removal must not see the old value again.
      try await front.change(key, .remove, [])
    }
    return Sighting(entry: inBack ?? inFront, watch: watch)
  }

  /// Returns many entries from the front, and the missing ones from the back in one batch.
  @usableFromInline
  package func read(_ keys: [Key], _ how: How) async throws -> [Key: Entry<Value>] {
    if !how.isDisjoint(with: [.quietly, .atOnce, .expiryOnly]) { return try await readEach(keys, how) }
    let cached = peeksAll ? peek(forKeys: keys) : try await inFront(keys).filter { isLive($0.value) }
    let wanted = Set(keys).subtracting(cached.keys)
    if wanted.isEmpty { return cached }
    return try await order.withTurn(.keys(wanted), reads: true) {
      let watch = coherence?.watch(Array(wanted))
      let suspects = coherence == nil ? [] : wanted.filter(isSuspect)
      let inFront = try await inFront(Array(wanted))
      let missing = wanted.filter { !isLive(inFront[$0]) }
      if missing.isEmpty { return cached.merging(inFront) { $1 } }
      let inBack = try await back.read(Array(missing), [])
      let live = inBack.filter { isLive($0.value) }
      try await promote(live, watch)
      // Remove the front's entries: a caller that has observed the removals must not see the old values again.
      let gone = suspects.filter { live[$0] == nil }
      if !gone.isEmpty { try await front.change(.remove(Array(gone)), []) }
      return cached.merging(inFront) { $1 }.merging(inBack) { $1 }
    }
  }

  /// Returns the entries of the front that may be served.
  private func inFront(_ keys: [Key]) async throws -> [Key: Entry<Value>] {
    try await front.read(coherence == nil ? keys : keys.filter { !isSuspect($0) }, [])
  }

  /// Copies entries that were read from the back to the front.
  private func promote(_ entries: [Key: Entry<Value>], _ watch: ReadWatch<Key>?) async throws {
    for (key, entry) in entries {
      guard let watch else {
        try await copy(entry, forKey: key)
        continue
      }
      try await watch.putting(key) {
        try await copy(entry, forKey: key)
      } drop: {
        try await front.change(key, .remove, [])
      }
    }
  }

  @usableFromInline  // sync: @inlinable
  func copy(_ inBack: Entry<Value>, forKey key: Key) async throws {
    try await front.change(key, .set(inBack.object, lifetime(inBack.expiry)), [])
  }
}
