extension CombinedStorage: SyncStorageAware where Front: SyncStorageAware, Back: SyncStorageAware {
  /// Reads from the front, else from the back, and then puts what was found in front.
  @inlinable
  package func entryIfPresent(forKey key: Key) throws -> Entry<Value>? {
    if !isInDoubt(key),
      let entry = peeksAll ? front.peek(forKey: key) : try front.entryIfPresent(forKey: key), isLive(entry)
    {
      return entry
    }
    return try missed(key)
  }

  @inlinable
  func missed(_ key: Key) throws -> Entry<Value>? {
    // Who hears of what others change must also ask whether what the reader before has found is too old.
    if let coherence { return try missed(key, coherence) }
    return try order.sharedRead(of: key) {
      try find(
        key, inFront: { try front.entryIfPresent(forKey: key) },
        inBack: { try back.entryIfPresent(forKey: key) })
    }
  }

  @usableFromInline
  func missed(_ key: Key, _ coherence: Coherence<Key>) throws -> Entry<Value>? {
    var isMine = false
    let sighting = try order.sharedRead(of: key) {
      isMine = true
      return try look(for: key, coherence)
    }
    // What the reader before has found may be older than an announcement that this one begins after.
    if isMine || sighting.watch?.isOutdated(key) != true { return sighting.entry }
    return try order.withTurn(.key(key), reads: true) { try look(for: key, coherence).entry }
  }

  /// The same, if no tier has to wait for it and nobody else has the turn of the key.
  @inlinable
  package func entryAtHand(forKey key: Key) -> AtHand<Entry<Value>> {
    AtHand {
      // A read that brings to the front what others change too is watched meanwhile.
      if doubt != nil { throw WouldWait() }
      return try order.atOnce(key) {
        if peeksAll {
          if let entry = front.peek(forKey: key), isLive(entry) { return entry }
          // Only now is it a read: had it to wait, that would be counted.
          let inBack = try back.entryAtHand(forKey: key).get()
          return try find(key, inFront: { try front.entryIfPresent(forKey: key) }, inBack: { inBack })
        }
        return try find(key, inFront: { try front.entryAtHand(forKey: key).get() }) {
          let inBack = try back.entryAtHand(forKey: key).get()
          // To put it in front would be a write that waits.
          if front.mayBlock, isLive(inBack) { throw WouldWait() }
          return inBack
        }
      }
    }
  }

  /// Looks in front, then in the back, and puts what it finds there in front. For whoever has the turn of the key.
  @inlinable
  func find(
    _ key: Key, inFront: () throws -> Entry<Value>?, inBack: () throws -> Entry<Value>?
  ) throws -> Entry<Value>? {
    let inFront = try inFront()
    if isLive(inFront) { return inFront }
    guard let inBack = try inBack() else { return inFront }
    if isLive(inBack) { try front.setObject(inBack.object, forKey: key, expiry: lifetime(inBack.expiry)) }
    return inBack
  }

  /// Reads from the front, else from the back, and then puts what was found in front.
  private func look(for key: Key, _ coherence: Coherence<Key>) throws -> Sighting<Key, Value> {
    let watch = coherence.watch([key])
    let isInDoubt = isInDoubt(key)
    let inFront = isInDoubt ? nil : try front.entryIfPresent(forKey: key)
    if isLive(inFront) { return Sighting(entry: inFront, watch: watch) }
    let inBack = try back.entryIfPresent(forKey: key)
    if let inBack, isLive(inBack) {
      try promote([key: inBack], watch)
    } else if isInDoubt {
      // Who has seen that it is gone must not see it again when the doubt is over.
      try front.removeObject(forKey: key)
    }
    return Sighting(entry: inBack ?? inFront, watch: watch)
  }

  /// Stores in the back, then in the front. In front of a back that others change too the key is dropped: only with a
  /// read of the back comes the promise to hear of what they do to it.
  @inlinable
  package func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    let expiry = expiry?.resolved(by: clock)
    try order.withTurn(.key(key)) {
      try droppingOnFailure([key]) {
        try back.setObject(object, forKey: key, expiry: expiry)
        if coherence != nil { return try front.removeObject(forKey: key) }
        try front.setObject(object, forKey: key, expiry: expiry)
      }
    }
  }

  /// Stores in the back, then in the front, if neither has to wait and nobody else has the turn of the key.
  @inlinable
  package func setObjectAtOnce(_ object: Value, forKey key: Key, expiry: Expiry?) throws -> Bool {
    // When the back has the value, it is too late to wait for the front.
    if coherence != nil || front.mayBlock { return false }
    let expiry = expiry?.resolved(by: clock)
    return try order.ifFree(key) {
      try droppingOnFailure([key]) {
        guard try back.setObjectAtOnce(object, forKey: key, expiry: expiry) else { return false }
        try front.setObject(object, forKey: key, expiry: expiry)
        return true
      }
    } ?? false
  }

  /// Stores a changed value in the back, then in the front; each keeps the expiry that it had.
  @inlinable
  package func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    try order.withTurn(.key(key)) {
      let inBack = try kept(back.expiryIfPresent(forKey: key)) ?? expiry
      let inFront = try kept(front.expiryIfPresent(forKey: key)) ?? inBack.flatMap(lifetime)
      try droppingOnFailure([key]) {
        try back.replaceObject(object, forKey: key, expiry: inBack)
        if coherence != nil { return try front.removeObject(forKey: key) }
        try front.replaceObject(object, forKey: key, expiry: inFront)
      }
    }
  }

  /// Removes from the back, then from the front, also if the back fails.
  @inlinable
  package func removeObject(forKey key: Key) throws {
    try order.withTurn(.key(key)) {
      try droppingOnFailure([key]) {
        try back.removeObject(forKey: key)
        try front.removeObject(forKey: key)
      }
    }
  }

  /// Empties the back, then the front, also if the back fails. Runs alone: what is being read now is not put in front
  /// afterwards.
  @usableFromInline
  package func removeAll() throws {
    try order.withTurn(.everything) {
      do {
        try back.removeAll()
      } catch {
        do { try front.removeAll() } catch let second { throw doubleFault(error, second) }
        throw error
      }
      try front.removeAll()
    }
  }

  /// Removes from both tiers what has expired, from the front also if the back fails.
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

  /// The keys of both tiers, each once.
  @usableFromInline
  package func keys() throws -> [Key] {
    let inBack = try back.keys()
    // What is in front of such a back alone has been removed by others.
    if coherence != nil { return inBack }
    let known = Set(inBack)
    return try inBack + front.keys().filter { !known.contains($0) }
  }

  /// The expiry of what a read would return.
  @inlinable
  package func expiryIfPresent(forKey key: Key) throws -> Expiry? {
    let inFront = isInDoubt(key) ? nil : try front.expiryIfPresent(forKey: key)
    if let inFront, !inFront.isExpired(by: clock) { return inFront }
    return try back.expiryIfPresent(forKey: key) ?? inFront
  }

  /// The expiry of what a read would return, if no tier has to wait for it.
  @inlinable
  package func expiryAtHand(forKey key: Key) -> AtHand<Expiry> {
    AtHand {
      let inFront = isInDoubt(key) ? nil : try front.expiryAtHand(forKey: key).get()
      if let inFront, !inFront.isExpired(by: clock) { return inFront }
      return try back.expiryAtHand(forKey: key).get() ?? inFront
    }
  }

  /// Forgets what the memory tier in front holds of a key.
  @usableFromInline
  package func removeInMemoryObject(forKey key: Key) throws {
    try order.withTurn(.key(key)) { try front.removeInMemoryObject(forKey: key) }
  }

  /// Reads many from the front, the rest in one batch from the back.
  @usableFromInline
  package func entries(forKeys keys: [Key]) throws -> [Key: Entry<Value>] {
    let atHand = peeksAll ? peek(forKeys: keys) : try inFront(keys).filter { isLive($0.value) }
    let wanted = Set(keys).subtracting(atHand.keys)
    if wanted.isEmpty { return atHand }
    return try order.withTurn(.keys(wanted), reads: true) {
      let watch = coherence?.watch(Array(wanted))
      let inDoubt = coherence == nil ? [] : wanted.filter(isInDoubt)
      let inFront = try inFront(Array(wanted))
      let missing = wanted.filter { !isLive(inFront[$0]) }
      if missing.isEmpty { return atHand.merging(inFront) { $1 } }
      let inBack = try back.entries(forKeys: Array(missing))
      let live = inBack.filter { isLive($0.value) }
      try promote(live, watch)
      // Who has seen that they are gone must not see them again when the doubt is over.
      let gone = inDoubt.filter { live[$0] == nil }
      if !gone.isEmpty { try front.removeObjects(forKeys: Array(gone)) }
      return atHand.merging(inFront) { $1 }.merging(inBack) { $1 }
    }
  }

  /// What of many keys is in front and may be served.
  private func inFront(_ keys: [Key]) throws -> [Key: Entry<Value>] {
    try front.entries(forKeys: coherence == nil ? keys : keys.filter { !isInDoubt($0) })
  }

  /// Stores many in one batch a tier, the back first.
  @usableFromInline
  package func setObjects(_ objects: [Key: Value], expiry: Expiry?) throws {
    let expiry = expiry?.resolved(by: clock)
    try order.withTurn(TurnScope(objects.keys)) {
      try droppingOnFailure(Array(objects.keys)) {
        try back.setObjects(objects, expiry: expiry)
        if coherence != nil { return try front.removeObjects(forKeys: Array(objects.keys)) }
        try front.setObjects(objects, expiry: expiry)
      }
    }
  }

  /// Removes many in one batch a tier, the back first.
  @usableFromInline
  package func removeObjects(forKeys keys: [Key]) throws {
    try order.withTurn(TurnScope(keys)) {
      try droppingOnFailure(keys) {
        try back.removeObjects(forKeys: keys)
        try front.removeObjects(forKeys: keys)
      }
    }
  }

  /// Puts in front what was read from the back.
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

  /// If the change fails, drops the keys from the front before it throws: the next read sees what the back holds.
  @inlinable
  func droppingOnFailure<R>(_ keys: @autoclosure () -> [Key], _ change: () throws -> R) throws -> R {
    do { return try change() } catch { throw afterDropping(keys(), error) }
  }

  /// Drops keys from the front after a change has failed; returns the error to throw.
  @usableFromInline
  func afterDropping(_ keys: [Key], _ error: any Error) -> any Error {
    // A front that alone is written has refused the change, and keeps what it had.
    if back is any UnwrittenBack { return error }
    do {
      try front.removeObjects(forKeys: keys)
      return error
    } catch let second {
      return doubleFault(error, second, forKey: keys.count == 1 ? keys.first : nil)
    }
  }
}
