public import StrataCore

extension ReplayingStorage {
  /// Returns the pending write, or the inner store's cached entry. Never blocks.
  public func peek(forKey key: Key) -> Entry<Value>? {
    if let waiting = waiting(key) { return waiting }
    return base.peek(forKey: key)
  }

  /// Returns the pending write, or the stored entry.
  public func entryIfPresent(forKey key: Key) async throws -> Entry<Value>? {
    if let waiting = waiting(key) { return waiting }
    return try await reading { try await base.entryIfPresent(forKey: key) }
  }

  /// Returns the expiry of the pending write, or of the stored entry.
  public func expiryIfPresent(forKey key: Key) async throws -> Expiry? {
    if let waiting = waiting(key) { return waiting?.expiry }
    return try await reading { try await base.expiryIfPresent(forKey: key) }
  }

  /// Reads many keys.
  public func entries(forKeys keys: [Key]) async throws -> [Key: Entry<Value>] {
    var found: [Key: Entry<Value>] = [:]
    var rest: [Key] = []
    for key in keys {
      if let waiting = waiting(key) { found[key] = waiting } else { rest.append(key) }
    }
    if rest.isEmpty { return found }
    let stored = try await reading { try await base.entries(forKeys: rest) }
    return found.merging(stored) { waiting, _ in waiting }
  }

  /// Returns the keys of stored values and of pending writes.
  public func keys() async throws -> [Key] {
    let stored = try await reading { try await base.keys() }
    return queue.withLock { queue in
      if queue.isEmpty { return stored }
      var keys = Set(queue.isClearing ? [] : stored)
      for key in queue.keys {
        switch queue.write(of: key) {
        case .set(_, let expiry, _) where expiry?.isExpired(by: clock) != true: keys.insert(key)
        default: keys.remove(key)
        }
      }
      return Array(keys)
    }
  }

  /// Returns at most `limit` keys after a cursor: first the keys of pending writes, then the stored keys.
  public func keyPage(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key> {
    var position = try cursor?.position(as: ReplayPosition<Key>.self) ?? ReplayPosition(waitingKeys())
    if !position.rest.isEmpty {
      let page = KeyPage(position.rest, limit: limit)
      position.rest = position.rest.dropFirst(page.keys.count)
      return KeyPage(keys: page.keys, next: KeyCursor(position))
    }
    let page = try await reading { [stored = position.stored] in
      try await base.keyPage(after: stored, limit: limit)
    }
    position.stored = page.next
    let keys = queue.withLock { queue in
      page.keys.filter { key in
        if position.listed.contains(key) { return false }
        guard let write = queue.write(of: key) else { return !queue.isClearing }
        if case .set(_, let expiry, _) = write { return expiry?.isExpired(by: clock) != true }
        return false
      }
    }
    return KeyPage(keys: keys, next: page.next == nil ? nil : KeyCursor(position))
  }

  private func waitingKeys() -> [Key] {
    queue.withLock { queue in
      queue.keys.filter { key in
        guard case .set(_, let expiry, _) = queue.write(of: key) else { return false }
        return expiry?.isExpired(by: clock) != true
      }
    }
  }

  /// Stores a value, now or when the store is available again.
  public func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    let expiry = expiry?.resolved(by: clock)
    try await make(.key(key)) {
      try await base.setObject(object, forKey: key, expiry: expiry)
    } orAdd: { queue in
      queue.add(.set(object, expiry), forKey: key) ? ([key], true) : ([], false)
    }
  }

  /// Stores many values, now or when the store is available again.
  public func setObjects(_ objects: [Key: Value], expiry: Expiry?) async throws {
    let expiry = expiry?.resolved(by: clock)
    try await make(TurnScope(objects.keys)) {
      try await base.setObjects(objects, expiry: expiry)
    } orAdd: { queue in
      let added = objects.filter { queue.add(.set($0.value, expiry), forKey: $0.key) }.keys
      return (Array(added), added.count == objects.count)
    }
  }

  /// Removes the value of a key, now or when the store is available again.
  public func removeObject(forKey key: Key) async throws {
    try await make(.key(key)) {
      try await base.removeObject(forKey: key)
    } orAdd: { queue in
      queue.add(.remove, forKey: key) ? ([key], true) : ([], false)
    }
  }

  /// Removes the values of many keys, now or when the store is available again.
  public func removeObjects(forKeys keys: [Key]) async throws {
    try await make(TurnScope(keys)) {
      try await base.removeObjects(forKeys: keys)
    } orAdd: { queue in
      let added = Set(keys).filter { queue.add(.remove, forKey: $0) }
      return (Array(added), added.count == Set(keys).count)
    }
  }

  /// Removes everything, now or when the store is available again.
  public func removeAll() async throws {
    try await make(.everything) {
      try await base.removeAll()
    } orAdd: { queue in
      queue.removeAll()
      return ([nil], true)
    }
  }

  /// Removes expired values.
  public func removeExpiredObjects() async throws { try await base.removeExpiredObjects() }

  /// Drops a key from memory.
  public func removeInMemoryObject(forKey key: Key) async throws {
    try await base.removeInMemoryObject(forKey: key)
  }
}
