// Generated from CombinedStorage+Async.swift by `make twins`.
extension CombinedStorage: SyncStorageAware where Front: SyncStorageAware, Back: SyncStorageAware {
  /// Returns the entry from the front, or else from the back. An entry found in the back is copied to the front.
  @inlinable
  package func entryIfPresent(forKey key: Key) throws -> Entry<Value>? {
    if isSuspect(key) { return try missed(key) }
    if peeksAll {
      if let entry = front.peek(forKey: key), isLive(entry) { return entry }
      return try missed(key)
    }
    let mark = order.mark(of: key)
    let entry = try front.entryIfPresent(forKey: key)
    return isLive(entry) ? entry : try missed(key, inFront: entry, mark)
  }

  /// Returns the entry of a key that is absent from the front, or has expired there. `inFront` is what the front has
  /// returned since the mark.
  @inlinable
  func missed(_ key: Key, inFront: Entry<Value>? = nil, _ mark: Int? = nil) throws -> Entry<Value>? {
    // With a back that reports changes, the preceding read's result may be too old.
    if let coherence { return try missed(key, coherence) }
    return try order.sharedRead(of: key) {
      try find(key) {
        if let mark, order.hasMerelyBegun(key, since: mark) { return inFront }
        return try front.entryIfPresent(forKey: key)
      } inBack: {
        try back.entryIfPresent(forKey: key)
      }
    }
  }

  @usableFromInline
  func missed(_ key: Key, _ coherence: Coherence<Key>) throws -> Entry<Value>? {
    // The preceding read's result may be older than an invalidation that came before this read began.
    try order.sharedRead(of: key, unless: { $0.watch?.isOutdated(key) == true }) {
      try look(for: key, coherence)
    }.entry
  }

  /// Reads the front, then the back, and copies an entry found in the back to the front. Call it in the key's turn.
  @inlinable
  func find(
    _ key: Key, inFront: () throws -> Entry<Value>?, inBack: () throws -> Entry<Value>?
  ) throws -> Entry<Value>? {
    let inFront = try inFront()
    if isLive(inFront) { return inFront }
    guard let inBack = try inBack() else { return inFront }
    if isLive(inBack) {
      try front.setObject(inBack.object, forKey: key, expiry: lifetime(inBack.expiry))
    }
    return inBack
  }

  /// Returns the entry from the front, or else from the back. An entry found in the back is copied to the front.
  private func look(for key: Key, _ coherence: Coherence<Key>) throws -> Sighting<Key, Value> {
    let watch = coherence.watch([key])
    let isSuspect = isSuspect(key)
    let inFront = isSuspect ? nil : try front.entryIfPresent(forKey: key)
    if isLive(inFront) { return Sighting(entry: inFront, watch: watch) }
    let inBack = try back.entryIfPresent(forKey: key)
    if let inBack, isLive(inBack) {
      try promote([key: inBack], watch)
    } else if isSuspect {
      // Remove the front's entry: a caller that has observed the removal must not see the old value again.
      try front.removeObject(forKey: key)
    }
    return Sighting(entry: inBack ?? inFront, watch: watch)
  }

  /// Stores a value in the back, then in the front. If the back reports changes, drops the key from the front instead:
  /// only entries that were read from the back are covered by its invalidations.
  @inlinable
  package func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    try order.withTurn(.key(key)) { try setInTurn(object, forKey: key, expiry: expiry) }
  }

  @inlinable
  func setInTurn(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    let expiry = expiry?.resolved(by: clock)
    try droppingOnFailure([key]) {
      try back.setObject(object, forKey: key, expiry: expiry)
      if coherence != nil { return try front.removeObject(forKey: key) }
      try finishing { try front.setObject(object, forKey: key, expiry: expiry) }
    }
  }

  /// Stores a changed value in the back, then in the front. Each tier keeps its expiry.
  @inlinable
  package func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    try order.withTurn(.key(key)) { try replaceInTurn(object, forKey: key, expiry: expiry) }
  }

  @inlinable
  func replaceInTurn(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    let inBack = try kept(back.expiryIfPresent(forKey: key)) ?? expiry
    let inFront = try kept(front.expiryIfPresent(forKey: key)) ?? inBack.flatMap(lifetime)
    try droppingOnFailure([key]) {
      try back.replaceObject(object, forKey: key, expiry: inBack)
      if coherence != nil { return try front.removeObject(forKey: key) }
      try finishing { try front.replaceObject(object, forKey: key, expiry: inFront) }
    }
  }

  /// Removes a key from the back, then from the front even if the back fails.
  @inlinable
  package func removeObject(forKey key: Key) throws {
    try order.withTurn(.key(key)) { try removeInTurn(key) }
  }

  @inlinable
  func removeInTurn(_ key: Key) throws {
    try droppingOnFailure([key]) {
      try back.removeObject(forKey: key)
      try front.removeObject(forKey: key)
    }
  }

  /// Removes all entries from the back, then from the front even if the back fails. Runs alone, so no concurrent read
  /// copies an entry to the front afterwards.
  @usableFromInline
  package func removeAll() throws {
    try order.withTurn(.everything) {
      do {
        try back.removeAll()
      } catch {
        do { try order.regardless { try front.removeAll() } } catch let second {
          throw doubleFault(error, second)
        }
        throw error
      }
      try order.regardless { try front.removeAll() }
    }
  }

  /// Removes expired entries from both tiers, from the front even if the back fails.
  @usableFromInline
  package func removeExpiredObjects() throws {
    do {
      try back.removeExpiredObjects()
    } catch {
      do { try front.removeExpiredObjects() } catch let second { throw doubleFault(error, second) }
      throw error
    }
    try front.removeExpiredObjects()
  }

  /// Returns the expiry of the entry that a read would return.
  @inlinable
  package func expiryIfPresent(forKey key: Key) throws -> Expiry? {
    let inFront = isSuspect(key) ? nil : try front.expiryIfPresent(forKey: key)
    if let inFront, !inFront.isExpired(by: clock) { return inFront }
    return try back.expiryIfPresent(forKey: key) ?? inFront
  }

  /// Removes a key from the memory tier in front.
  @usableFromInline
  package func removeInMemoryObject(forKey key: Key) throws {
    try order.withTurn(.key(key)) { try front.removeInMemoryObject(forKey: key) }
  }

  /// Returns many entries from the front, and the missing ones from the back in one batch.
  @usableFromInline
  package func entries(forKeys keys: [Key]) throws -> [Key: Entry<Value>] {
    let cached = peeksAll ? peek(forKeys: keys) : try inFront(keys).filter { isLive($0.value) }
    let wanted = Set(keys).subtracting(cached.keys)
    if wanted.isEmpty { return cached }
    return try order.withTurn(.keys(wanted), reads: true) {
      let watch = coherence?.watch(Array(wanted))
      let suspects = coherence == nil ? [] : wanted.filter(isSuspect)
      let inFront = try inFront(Array(wanted))
      let missing = wanted.filter { !isLive(inFront[$0]) }
      if missing.isEmpty { return cached.merging(inFront) { $1 } }
      let inBack = try back.entries(forKeys: Array(missing))
      let live = inBack.filter { isLive($0.value) }
      try promote(live, watch)
      // Remove the front's entries: a caller that has observed the removals must not see the old values again.
      let gone = suspects.filter { live[$0] == nil }
      if !gone.isEmpty { try front.removeObjects(forKeys: Array(gone)) }
      return cached.merging(inFront) { $1 }.merging(inBack) { $1 }
    }
  }

  /// Returns the entries of the front that may be served.
  private func inFront(_ keys: [Key]) throws -> [Key: Entry<Value>] {
    try front.entries(forKeys: coherence == nil ? keys : keys.filter { !isSuspect($0) })
  }

  /// Stores many values, in one batch per tier, the back first.
  @usableFromInline
  package func setObjects(_ objects: [Key: Value], expiry: Expiry?) throws {
    let expiry = expiry?.resolved(by: clock)
    try order.withTurn(TurnScope(objects.keys)) {
      try droppingOnFailure(Array(objects.keys)) {
        try back.setObjects(objects, expiry: expiry)
        if coherence != nil { return try front.removeObjects(forKeys: Array(objects.keys)) }
        try finishing { try front.setObjects(objects, expiry: expiry) }
      }
    }
  }

  /// Stores many values, each with its own expiry, in one batch per tier, the back first.
  @usableFromInline
  package func setEntries(_ entries: [Key: Entry<Value>]) throws {
    let entries = entries.mapValues { $0.resolved(by: clock) }
    try order.withTurn(TurnScope(entries.keys)) {
      try droppingOnFailure(Array(entries.keys)) {
        try back.setEntries(entries)
        if coherence != nil { return try front.removeObjects(forKeys: Array(entries.keys)) }
        try finishing { try front.setEntries(entries) }
      }
    }
  }

  /// Removes many keys, in one batch per tier, the back first.
  @usableFromInline
  package func removeObjects(forKeys keys: [Key]) throws {
    try order.withTurn(TurnScope(keys)) {
      try droppingOnFailure(keys) {
        try back.removeObjects(forKeys: keys)
        try front.removeObjects(forKeys: keys)
      }
    }
  }

  /// Copies entries that were read from the back to the front.
  private func promote(_ entries: [Key: Entry<Value>], _ watch: ReadWatch<Key>?) throws {
    for (key, entry) in entries {
      guard let watch else {
        try front.setObject(entry.object, forKey: key, expiry: lifetime(entry.expiry))
        continue
      }
      try watch.putting(key) {
        try front.setObject(entry.object, forKey: key, expiry: lifetime(entry.expiry))
      } drop: {
        try front.removeObject(forKey: key)
      }
    }
  }

  /// Performs a change. If it fails, drops the keys from the front before it throws, so that the next read returns the
  /// back's value.
  @inlinable
  func droppingOnFailure<R>(
    _ keys: @autoclosure () -> [Key], _ change: () throws -> R
  ) throws -> R {
    do { return try change() } catch { throw afterDropping(keys(), error) }
  }

  /// Drops keys from the front after a failed change. Returns the error to throw.
  @usableFromInline
  func afterDropping(_ keys: [Key], _ error: any Error) -> any Error {
    // If only the front is written, it has refused the change and keeps its entry.
    if back is any UnwrittenBack { return error }
    do {
      try order.regardless { try front.removeObjects(forKeys: keys) }
      return error
    } catch let second {
      return doubleFault(error, second, forKey: keys.count == 1 ? keys.first : nil)
    }
  }
}
