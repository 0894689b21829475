extension CombinedStorage: SyncStorageAware where Front: SyncStorageAware, Back: SyncStorageAware {
  /// Reads from the front, else from the back, and then puts what was found in front.
  @inlinable
  package func entryIfPresent(forKey key: Key) throws -> Entry<Value>? {
    if let entry = try front.entryIfPresent(forKey: key), isLive(entry) { return entry }
    return try missed(key)
  }

  @usableFromInline
  func missed(_ key: Key) throws -> Entry<Value>? {
    try order.sharedRead(of: key) {
      try find(
        key, inFront: { try front.entryIfPresent(forKey: key) },
        inBack: { try back.entryIfPresent(forKey: key) })
    }
  }

  /// The same, if no tier has to wait for it and nobody else has the turn of the key.
  @inlinable
  package func entryAtHand(forKey key: Key) -> AtHand<Entry<Value>> {
    AtHand {
      try order.atOnce(key) {
        try find(key, inFront: { try front.entryAtHand(forKey: key).get() }) {
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
    if isLive(inBack) { try front.setObject(inBack.object, forKey: key, expiry: inBack.expiry) }
    return inBack
  }

  /// Stores in the back, then in the front.
  @usableFromInline
  package func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    let expiry = expiry?.resolved(by: clock)
    try order.withTurn(.key(key)) {
      try droppingOnFailure([key]) {
        try back.setObject(object, forKey: key, expiry: expiry)
        try front.setObject(object, forKey: key, expiry: expiry)
      }
    }
  }

  /// Removes from the back, then from the front, also if the back fails.
  @usableFromInline
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
    let known = Set(inBack)
    return try inBack + front.keys().filter { !known.contains($0) }
  }

  /// The expiry of what a read would return.
  @usableFromInline
  package func expiryIfPresent(forKey key: Key) throws -> Expiry? {
    let inFront = try front.expiryIfPresent(forKey: key)
    if let inFront, !inFront.isExpired(by: clock) { return inFront }
    return try back.expiryIfPresent(forKey: key) ?? inFront
  }

  /// The expiry of what a read would return, if no tier has to wait for it.
  @usableFromInline
  package func expiryAtHand(forKey key: Key) -> AtHand<Expiry> {
    AtHand {
      let inFront = try front.expiryAtHand(forKey: key).get()
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
    let atHand = try front.entries(forKeys: keys).filter { isLive($0.value) }
    let wanted = Set(keys).subtracting(atHand.keys)
    if wanted.isEmpty { return atHand }
    return try order.withTurn(.keys(wanted), reads: true) {
      let inFront = try front.entries(forKeys: Array(wanted))
      let missing = wanted.filter { !isLive(inFront[$0]) }
      if missing.isEmpty { return atHand.merging(inFront) { $1 } }
      let inBack = try back.entries(forKeys: Array(missing))
      try promote(inBack.filter { isLive($0.value) })
      return atHand.merging(inFront) { $1 }.merging(inBack) { $1 }
    }
  }

  /// Stores many in one batch a tier, the back first.
  @usableFromInline
  package func setObjects(_ objects: [Key: Value], expiry: Expiry?) throws {
    let expiry = expiry?.resolved(by: clock)
    try order.withTurn(TurnScope(objects.keys)) {
      try droppingOnFailure(Array(objects.keys)) {
        try back.setObjects(objects, expiry: expiry)
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
  private func promote(_ entries: [Key: Entry<Value>]) throws {
    for (key, entry) in entries {
      try front.setObject(entry.object, forKey: key, expiry: entry.expiry)
    }
  }

  /// If the change fails, drops the keys from the front before it throws: the next read sees what the back holds.
  private func droppingOnFailure(_ keys: [Key], _ change: () throws -> Void) throws {
    do {
      try change()
    } catch {
      do {
        try front.removeObjects(forKeys: keys)
      } catch let second {
        throw doubleFault(error, second, forKey: keys.count == 1 ? keys.first : nil)
      }
      throw error
    }
  }
}
