extension ZippedStorage: SyncStorageAware where A: SyncStorageAware, B: SyncStorageAware {
  @inlinable
  package func entryIfPresent(forKey key: Key) throws -> Entry<Value>? {
    if let pair = peek(forKey: key), !pair.expiry.isExpired(by: clock) { return pair }
    return try changes.order.withTurn(.key(key), reads: true) {
      guard let one = try first.entryIfPresent(forKey: key) else { return nil }
      return try second.entryIfPresent(forKey: key).map { pair(one, $0) }
    }
  }

  /// Returns both parts if neither store has to wait and no change of the pair is in progress.
  @usableFromInline
  package func cachedEntry(forKey key: Key) -> CacheLookup<Entry<Value>> {
    CacheLookup {
      try changes.order.atOnce(key) {
        guard let one = try first.cachedEntry(forKey: key).get() else { return nil }
        return try second.cachedEntry(forKey: key).get().map { pair(one, $0) }
      }
    }
  }

  @usableFromInline
  package func cachedExpiry(forKey key: Key) -> CacheLookup<Expiry> {
    CacheLookup {
      try changes.order.atOnce(key) {
        guard let one = try first.cachedExpiry(forKey: key).get() else { return nil }
        return try second.cachedExpiry(forKey: key).get().map { .earlier(one, $0) }
      }
    }
  }

  @usableFromInline
  package func entries(forKeys keys: [Key]) throws -> [Key: Entry<Value>] {
    try changes.order.withTurn(TurnScope(keys), reads: true) {
      let one = try first.entries(forKeys: keys)
      let two = try second.entries(forKeys: Array(one.keys))
      return two.reduce(into: [:]) { pairs, next in
        pairs[next.key] = one[next.key].map { pair($0, next.value) }
      }
    }
  }

  @inlinable
  package func expiryIfPresent(forKey key: Key) throws -> Expiry? {
    try changes.order.withTurn(.key(key), reads: true) {
      guard let one = try first.expiryIfPresent(forKey: key) else { return nil }
      return try second.expiryIfPresent(forKey: key).map { .earlier(one, $0) }
    }
  }

  @usableFromInline
  package func keys() throws -> [Key] {
    let inSecond = try Set(second.keys())
    return try first.keys().filter(inSecond.contains)
  }

  /// Returns a page of the first store's keys, without the keys that the second store does not have.
  @usableFromInline
  package func keyPage(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<Key> {
    let page = try first.keyPage(after: cursor, limit: limit)
    let inSecond = try second.stored(page.keys)
    return page.replacingKeys { $0.filter(inSecond.contains) }
  }

  @usableFromInline
  package func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    try write(.key(key), [key], expiry: expiry) { expiry in
      try first.setObject(object.0, forKey: key, expiry: expiry)
    } then: { expiry in
      try second.setObject(object.1, forKey: key, expiry: expiry)
    }
  }

  @usableFromInline
  package func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    try write(.key(key), [key], expiry: expiry) { expiry in
      let expiry = try first.expiryIfPresent(forKey: key) ?? expiry
      try first.replaceObject(object.0, forKey: key, expiry: expiry)
    } then: { expiry in
      let expiry = try second.expiryIfPresent(forKey: key) ?? expiry
      try second.replaceObject(object.1, forKey: key, expiry: expiry)
    }
  }

  @usableFromInline
  package func setObjects(_ objects: [Key: Value], expiry: Expiry?) throws {
    try write(TurnScope(objects.keys), Array(objects.keys), expiry: expiry) { expiry in
      try first.setObjects(objects.mapValues(\.0), expiry: expiry)
    } then: { expiry in
      try second.setObjects(objects.mapValues(\.1), expiry: expiry)
    }
  }

  @usableFromInline
  package func removeObject(forKey key: Key) throws {
    try changes.make(.key(key)) {
      try both {
        try first.removeObject(forKey: key)
      } and: {
        try second.removeObject(forKey: key)
      }
    }
  }

  @usableFromInline
  package func removeObjects(forKeys keys: [Key]) throws {
    try changes.make(TurnScope(keys)) {
      try both {
        try first.removeObjects(forKeys: keys)
      } and: {
        try second.removeObjects(forKeys: keys)
      }
    }
  }

  @usableFromInline
  package func removeAll() throws {
    try changes.make(.everything) {
      try both {
        try first.removeAll()
      } and: {
        try second.removeAll()
      }
    }
  }

  @usableFromInline
  package func removeExpiredObjects() throws {
    try both {
      try first.removeExpiredObjects()
    } and: {
      try second.removeExpiredObjects()
    }
  }

  @usableFromInline
  package func removeInMemoryObject(forKey key: Key) throws {
    try changes.make(.key(key)) {
      try both {
        try first.removeInMemoryObject(forKey: key)
      } and: {
        try second.removeInMemoryObject(forKey: key)
      }
    }
  }

  /// Writes the first parts, then the second parts. If the second write fails, restores the previous entries of the
  /// first store.
  private func write(
    _ scope: TurnScope<Key>, _ keys: [Key], expiry: Expiry?, _ writeFirst: (Expiry?) throws -> Void,
    then writeSecond: (Expiry?) throws -> Void
  ) throws {
    let expiry = expiry?.resolved(by: clock)
    try changes.make(scope) {
      let before = Result { try first.entries(forKeys: keys) }
      try writeFirst(expiry)
      do { try writeSecond(expiry) } catch {
        do { try restore(keys, before.get()) } catch let second {
          throw halfWritten(
            .first, keys.count == 1 ? keys.first : nil, error,
            "and the first store's previous entry could not be restored: \(second)")
        }
        throw error
      }
    }
  }

  private func restore(_ keys: [Key], _ before: [Key: Entry<A.Value>]) throws {
    for key in keys {
      if let entry = before[key] {
        try first.setObject(entry.object, forKey: key, expiry: entry.expiry)
      } else {
        try first.removeObject(forKey: key)
      }
    }
  }

  /// Runs both functions, the second even if the first fails.
  private func both(_ one: () throws -> Void, and other: () throws -> Void) throws {
    do { try one() } catch {
      do { try other() } catch let second { throw doubleFault(error, second) }
      throw error
    }
    try other()
  }
}
