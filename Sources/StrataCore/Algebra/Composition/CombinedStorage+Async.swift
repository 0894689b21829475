extension CombinedStorage {
  /// Reads from the front, else from the back, and then puts what was found in front.
  @inlinable
  package func entryIfPresent(forKey key: Key) async throws -> Entry<Value>? {
    if !isInDoubt(key),
      let entry = peeksAll ? front.peek(forKey: key) : try await front.entryIfPresent(forKey: key),
      isLive(entry)
    {
      return entry
    }
    return try await missed(key)
  }

  @usableFromInline
  func missed(_ key: Key) async throws -> Entry<Value>? {
    var isMine = false
    let sighting = try await order.sharedRead(of: key) {
      isMine = true
      return try await look(for: key)
    }
    // What the reader before has found may be older than an announcement that this one begins after.
    if isMine || sighting.watch?.isOutdated(key) != true { return sighting.entry }
    return try await order.withTurn(.key(key)) { try await look(for: key).entry }
  }

  /// Reads from the front, else from the back, and then puts what was found in front.
  private func look(for key: Key) async throws -> Sighting<Key, Value> {
    let watch = coherence?.watch([key])
    let isInDoubt = isInDoubt(key)
    let inFront = isInDoubt ? nil : try await front.entryIfPresent(forKey: key)
    if isLive(inFront) { return Sighting(entry: inFront, watch: watch) }
    let inBack = try await back.entryIfPresent(forKey: key)
    if let inBack, isLive(inBack) {
      try await promote([key: inBack], watch)
    } else if isInDoubt {
      // Who has seen that it is gone must not see it again when the doubt is over.
      try await front.removeObject(forKey: key)
    }
    return Sighting(entry: inBack ?? inFront, watch: watch)
  }

  /// Stores in the back, then in the front. In front of a back that others change too the key is dropped: only with a
  /// read of the back comes the promise to hear of what they do to it.
  @usableFromInline
  package func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    let expiry = expiry?.resolved(by: clock)
    try await order.withTurn(.key(key)) {
      try await droppingOnFailure([key]) {
        try await back.setObject(object, forKey: key, expiry: expiry)
        if coherence != nil { return try await front.removeObject(forKey: key) }
        try await finishing { try await front.setObject(object, forKey: key, expiry: expiry) }
      }
    }
  }

  /// Stores a changed value in the back, then in the front; each keeps the expiry that it had.
  @usableFromInline
  package func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    try await order.withTurn(.key(key)) {
      let inBack = try await kept(back.expiryIfPresent(forKey: key)) ?? expiry
      let inFront = try await kept(front.expiryIfPresent(forKey: key)) ?? inBack.flatMap(lifetime)
      try await droppingOnFailure([key]) {
        try await back.replaceObject(object, forKey: key, expiry: inBack)
        if coherence != nil { return try await front.removeObject(forKey: key) }
        try await finishing { try await front.replaceObject(object, forKey: key, expiry: inFront) }
      }
    }
  }

  /// Removes from the back, then from the front, also if the back fails.
  @usableFromInline
  package func removeObject(forKey key: Key) async throws {
    try await order.withTurn(.key(key)) {
      try await droppingOnFailure([key]) {
        try await back.removeObject(forKey: key)
        try await front.removeObject(forKey: key)
      }
    }
  }

  /// Empties the back, then the front, also if the back fails. Runs alone: what is being read now is not put in front
  /// afterwards.
  @usableFromInline
  package func removeAll() async throws {
    try await order.withTurn(.everything) {
      do {
        try await back.removeAll()
      } catch {
        do { try await regardless { try await front.removeAll() } } catch let second {
          throw doubleFault(error, second)
        }
        throw error
      }
      try await regardless { try await front.removeAll() }
    }
  }

  /// Removes from both tiers what has expired, from the front also if the back fails.
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

  /// The keys of both tiers, each once.
  @usableFromInline
  package func keys() async throws -> [Key] {
    let inBack = try await back.keys()
    // What is in front of such a back alone has been removed by others.
    if coherence != nil { return inBack }
    let known = Set(inBack)
    return try await inBack + front.keys().filter { !known.contains($0) }
  }

  /// The expiry of what a read would return.
  @usableFromInline
  package func expiryIfPresent(forKey key: Key) async throws -> Expiry? {
    let inFront = isInDoubt(key) ? nil : try await front.expiryIfPresent(forKey: key)
    if let inFront, !inFront.isExpired(by: clock) { return inFront }
    return try await back.expiryIfPresent(forKey: key) ?? inFront
  }

  /// Forgets what the memory tier in front holds of a key.
  @usableFromInline
  package func removeInMemoryObject(forKey key: Key) async throws {
    try await order.withTurn(.key(key)) { try await front.removeInMemoryObject(forKey: key) }
  }

  /// Reads many from the front, the rest in one batch from the back.
  @usableFromInline
  package func entries(forKeys keys: [Key]) async throws -> [Key: Entry<Value>] {
    let atHand = peeksAll ? peek(forKeys: keys) : try await inFront(keys).filter { isLive($0.value) }
    let wanted = Set(keys).subtracting(atHand.keys)
    if wanted.isEmpty { return atHand }
    return try await order.withTurn(.keys(wanted)) {
      let watch = coherence?.watch(Array(wanted))
      let inDoubt = coherence == nil ? [] : wanted.filter(isInDoubt)
      let inFront = try await inFront(Array(wanted))
      let missing = wanted.filter { !isLive(inFront[$0]) }
      if missing.isEmpty { return atHand.merging(inFront) { $1 } }
      let inBack = try await back.entries(forKeys: Array(missing))
      let live = inBack.filter { isLive($0.value) }
      try await promote(live, watch)
      // Who has seen that they are gone must not see them again when the doubt is over.
      let gone = inDoubt.filter { live[$0] == nil }
      if !gone.isEmpty { try await front.removeObjects(forKeys: Array(gone)) }
      return atHand.merging(inFront) { $1 }.merging(inBack) { $1 }
    }
  }

  /// What of many keys is in front and may be served.
  private func inFront(_ keys: [Key]) async throws -> [Key: Entry<Value>] {
    try await front.entries(forKeys: coherence == nil ? keys : keys.filter { !isInDoubt($0) })
  }

  /// Stores many in one batch a tier, the back first.
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

  /// Removes many in one batch a tier, the back first.
  @usableFromInline
  package func removeObjects(forKeys keys: [Key]) async throws {
    try await order.withTurn(TurnScope(keys)) {
      try await droppingOnFailure(keys) {
        try await back.removeObjects(forKeys: keys)
        try await front.removeObjects(forKeys: keys)
      }
    }
  }

  /// Puts in front what was read from the back.
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

  /// If the change fails, drops the keys from the front before it throws: the next read sees what the back holds.
  func droppingOnFailure<R>(_ keys: [Key], _ change: () async throws -> R) async throws -> R {
    do {
      return try await change()
    } catch {
      // A front that alone is written has refused the change, and keeps what it had.
      if back is any UnwrittenBack { throw error }
      do {
        try await regardless { try await front.removeObjects(forKeys: keys) }
      } catch let second {
        throw doubleFault(error, second, forKey: keys.count == 1 ? keys.first : nil)
      }
      throw error
    }
  }
}
