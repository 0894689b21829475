extension CombinedStorage {
  /// Reads from the front, else from the back, and then puts what was found in front.
  @inlinable
  package func entryIfPresent(forKey key: Key) async throws -> Entry<Value>? {
    if let entry = try await front.entryIfPresent(forKey: key), isLive(entry) { return entry }
    return try await missed(key)
  }

  @usableFromInline
  func missed(_ key: Key) async throws -> Entry<Value>? {
    try await order.sharedRead(of: key) {
      let inFront = try await front.entryIfPresent(forKey: key)
      if isLive(inFront) { return inFront }
      guard let inBack = try await back.entryIfPresent(forKey: key) else { return inFront }
      if isLive(inBack) { try await promote([key: inBack]) }
      return inBack
    }
  }

  /// Stores in the back, then in the front.
  @usableFromInline
  package func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    let expiry = expiry?.resolved(by: clock)
    try await order.withTurn(.key(key)) {
      try await droppingOnFailure([key]) {
        try await back.setObject(object, forKey: key, expiry: expiry)
        try await front.setObject(object, forKey: key, expiry: expiry)
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
        do { try await front.removeAll() } catch let second { throw doubleFault(error, second) }
        throw error
      }
      try await front.removeAll()
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
    let known = Set(inBack)
    return try await inBack + front.keys().filter { !known.contains($0) }
  }

  /// The expiry of what a read would return.
  @usableFromInline
  package func expiryIfPresent(forKey key: Key) async throws -> Expiry? {
    let inFront = try await front.expiryIfPresent(forKey: key)
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
    let atHand = try await front.entries(forKeys: keys).filter { isLive($0.value) }
    let wanted = Set(keys).subtracting(atHand.keys)
    if wanted.isEmpty { return atHand }
    return try await order.withTurn(.keys(wanted)) {
      let inFront = try await front.entries(forKeys: Array(wanted))
      let missing = wanted.filter { !isLive(inFront[$0]) }
      if missing.isEmpty { return atHand.merging(inFront) { $1 } }
      let inBack = try await back.entries(forKeys: Array(missing))
      try await promote(inBack.filter { isLive($0.value) })
      return atHand.merging(inFront) { $1 }.merging(inBack) { $1 }
    }
  }

  /// Stores many in one batch a tier, the back first.
  @usableFromInline
  package func setObjects(_ objects: [Key: Value], expiry: Expiry?) async throws {
    let expiry = expiry?.resolved(by: clock)
    try await order.withTurn(TurnScope(objects.keys)) {
      try await droppingOnFailure(Array(objects.keys)) {
        try await back.setObjects(objects, expiry: expiry)
        try await front.setObjects(objects, expiry: expiry)
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
  private func promote(_ entries: [Key: Entry<Value>]) async throws {
    for (key, entry) in entries {
      try await front.setObject(entry.object, forKey: key, expiry: entry.expiry)
    }
  }

  /// If the change fails, drops the keys from the front before it throws: the next read sees what the back holds.
  private func droppingOnFailure(_ keys: [Key], _ change: () async throws -> Void) async throws {
    do {
      try await change()
    } catch {
      do {
        try await front.removeObjects(forKeys: keys)
      } catch let second {
        throw doubleFault(error, second, forKey: keys.count == 1 ? keys.first : nil)
      }
      throw error
    }
  }
}
