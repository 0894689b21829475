// sync: extension CombinedStorage: SyncStorageAware where Front: SyncStorageAware, Back: SyncStorageAware {
extension CombinedStorage {
  /// Returns the entry from the front, or else from the back. An entry found in the back is copied to the front.
  @inlinable
  package func entryIfPresent(forKey key: Key) async throws -> Entry<Value>? {
    if isSuspect(key) { return try await missed(key) }
    if peeksAll {
      if let entry = front.peek(forKey: key), isLive(entry) { return entry }
      return try await missed(key)
    }
    let mark = order.mark(of: key)
    let entry = try await front.entryIfPresent(forKey: key)
    return isLive(entry) ? entry : try await missed(key, inFront: entry, mark)
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
        return try await front.entryIfPresent(forKey: key)
      } inBack: {
        try await back.entryIfPresent(forKey: key)
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
    if isLive(inBack) {
      try await front.setObject(inBack.object, forKey: key, expiry: lifetime(inBack.expiry))
    }
    return inBack
  }

  /// Returns the entry from the front, or else from the back. An entry found in the back is copied to the front.
  private func look(for key: Key, _ coherence: Coherence<Key>) async throws -> Sighting<Key, Value> {
    let watch = coherence.watch([key])
    let isSuspect = isSuspect(key)
    let inFront = isSuspect ? nil : try await front.entryIfPresent(forKey: key)
    if isLive(inFront) { return Sighting(entry: inFront, watch: watch) }
    let inBack = try await back.entryIfPresent(forKey: key)
    if let inBack, isLive(inBack) {
      try await promote([key: inBack], watch)
    } else if isSuspect {
      // Remove the front's entry: a caller that has observed the removal must not see the old value again.
      try await front.removeObject(forKey: key)
    }
    return Sighting(entry: inBack ?? inFront, watch: watch)
  }

  /// Stores a value in the back, then in the front. If the back reports changes, drops the key from the front instead:
  /// only entries that were read from the back are covered by its invalidations.
  @usableFromInline  // sync: @inlinable
  package func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    try await order.withTurn(.key(key)) { try await setInTurn(object, forKey: key, expiry: expiry) }
  }

  @usableFromInline  // sync: @inlinable
  func setInTurn(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    let expiry = expiry?.resolved(by: clock)
    try await droppingOnFailure([key]) {
      try await back.setObject(object, forKey: key, expiry: expiry)
      if coherence != nil { return try await front.removeObject(forKey: key) }
      try await finishing { try await front.setObject(object, forKey: key, expiry: expiry) }
    }
  }

  /// Stores a changed value in the back, then in the front. Each tier keeps its expiry.
  @usableFromInline  // sync: @inlinable
  package func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    try await order.withTurn(.key(key)) { try await replaceInTurn(object, forKey: key, expiry: expiry) }
  }

  @usableFromInline  // sync: @inlinable
  func replaceInTurn(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    let inBack = try await kept(back.expiryIfPresent(forKey: key)) ?? expiry
    let inFront = try await kept(front.expiryIfPresent(forKey: key)) ?? inBack.flatMap(lifetime)
    try await droppingOnFailure([key]) {
      try await back.replaceObject(object, forKey: key, expiry: inBack)
      if coherence != nil { return try await front.removeObject(forKey: key) }
      try await finishing { try await front.replaceObject(object, forKey: key, expiry: inFront) }
    }
  }

  /// Removes a key from the back, then from the front even if the back fails.
  @usableFromInline  // sync: @inlinable
  package func removeObject(forKey key: Key) async throws {
    try await order.withTurn(.key(key)) { try await removeInTurn(key) }
  }

  @usableFromInline  // sync: @inlinable
  func removeInTurn(_ key: Key) async throws {
    try await droppingOnFailure([key]) {
      try await back.removeObject(forKey: key)
      try await front.removeObject(forKey: key)
    }
  }

  /// Removes all entries from the back, then from the front even if the back fails. Runs alone, so no concurrent read
  /// copies an entry to the front afterwards.
  @usableFromInline
  package func removeAll() async throws {
    try await order.withTurn(.everything) {
      do {
        try await back.removeAll()
      } catch {
        do { try await order.regardless { try await front.removeAll() } } catch let second {
          throw doubleFault(error, second)
        }
        throw error
      }
      try await order.regardless { try await front.removeAll() }
    }
  }

  /// Removes expired entries from both tiers, from the front even if the back fails.
  @usableFromInline
  package func removeExpiredObjects() async throws {
    do {
      try await back.removeExpiredObjects()
    } catch {
      do { try await front.removeExpiredObjects() } catch let second { throw doubleFault(error, second) }
      throw error
    }
    try await front.removeExpiredObjects()
  }

  /// Returns the expiry of the entry that a read would return.
  @usableFromInline  // sync: @inlinable
  package func expiryIfPresent(forKey key: Key) async throws -> Expiry? {
    let inFront = isSuspect(key) ? nil : try await front.expiryIfPresent(forKey: key)
    if let inFront, !inFront.isExpired(by: clock) { return inFront }
    return try await back.expiryIfPresent(forKey: key) ?? inFront
  }

  /// Removes a key from the memory tier in front.
  @usableFromInline
  package func removeInMemoryObject(forKey key: Key) async throws {
    try await order.withTurn(.key(key)) { try await front.removeInMemoryObject(forKey: key) }
  }

  /// Returns many entries from the front, and the missing ones from the back in one batch.
  @usableFromInline
  package func entries(forKeys keys: [Key]) async throws -> [Key: Entry<Value>] {
    let cached = peeksAll ? peek(forKeys: keys) : try await inFront(keys).filter { isLive($0.value) }
    let wanted = Set(keys).subtracting(cached.keys)
    if wanted.isEmpty { return cached }
    return try await order.withTurn(.keys(wanted), reads: true) {
      let watch = coherence?.watch(Array(wanted))
      let suspects = coherence == nil ? [] : wanted.filter(isSuspect)
      let inFront = try await inFront(Array(wanted))
      let missing = wanted.filter { !isLive(inFront[$0]) }
      if missing.isEmpty { return cached.merging(inFront) { $1 } }
      let inBack = try await back.entries(forKeys: Array(missing))
      let live = inBack.filter { isLive($0.value) }
      try await promote(live, watch)
      // Remove the front's entries: a caller that has observed the removals must not see the old values again.
      let gone = suspects.filter { live[$0] == nil }
      if !gone.isEmpty { try await front.removeObjects(forKeys: Array(gone)) }
      return cached.merging(inFront) { $1 }.merging(inBack) { $1 }
    }
  }

  /// Returns the entries of the front that may be served.
  private func inFront(_ keys: [Key]) async throws -> [Key: Entry<Value>] {
    try await front.entries(forKeys: coherence == nil ? keys : keys.filter { !isSuspect($0) })
  }

  /// Stores many values, in one batch per tier, the back first.
  @usableFromInline
  package func setObjects(_ objects: [Key: Value], expiry: Expiry?) async throws {
    let expiry = expiry?.resolved(by: clock)
    try await order.withTurn(TurnScope(objects.keys)) {
      try await droppingOnFailure(Array(objects.keys)) {
        try await back.setObjects(objects, expiry: expiry)
        if coherence != nil { return try await front.removeObjects(forKeys: Array(objects.keys)) }
        try await finishing { try await front.setObjects(objects, expiry: expiry) }
      }
    }
  }

  /// Stores many values, each with its own expiry, in one batch per tier, the back first.
  @usableFromInline
  package func setEntries(_ entries: [Key: Entry<Value>]) async throws {
    let entries = entries.mapValues { $0.resolved(by: clock) }
    try await order.withTurn(TurnScope(entries.keys)) {
      try await droppingOnFailure(Array(entries.keys)) {
        try await back.setEntries(entries)
        if coherence != nil { return try await front.removeObjects(forKeys: Array(entries.keys)) }
        try await finishing { try await front.setEntries(entries) }
      }
    }
  }

  /// Removes many keys, in one batch per tier, the back first.
  @usableFromInline
  package func removeObjects(forKeys keys: [Key]) async throws {
    try await order.withTurn(TurnScope(keys)) {
      try await droppingOnFailure(keys) {
        try await back.removeObjects(forKeys: keys)
        try await front.removeObjects(forKeys: keys)
      }
    }
  }

  /// Copies entries that were read from the back to the front.
  private func promote(_ entries: [Key: Entry<Value>], _ watch: ReadWatch<Key>?) async throws {
    for (key, entry) in entries {
      guard let watch else {
        try await front.setObject(entry.object, forKey: key, expiry: lifetime(entry.expiry))
        continue
      }
      try await watch.putting(key) {
        try await front.setObject(entry.object, forKey: key, expiry: lifetime(entry.expiry))
      } drop: {
        try await front.removeObject(forKey: key)
      }
    }
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
    // If only the front is written, it has refused the change and keeps its entry.
    if back is any UnwrittenBack { return error }
    do {
      try await order.regardless { try await front.removeObjects(forKeys: keys) }
      return error
    } catch let second {
      return doubleFault(error, second, forKey: keys.count == 1 ? keys.first : nil)
    }
  }
}
