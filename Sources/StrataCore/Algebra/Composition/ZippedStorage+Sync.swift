// Generated from ZippedStorage+Async.swift by `make twins`.
extension ZippedStorage: SyncStorageAware where A: SyncStorageAware, B: SyncStorageAware {
  @inlinable
  package func entryIfPresent(forKey key: Key) throws -> Entry<Value>? {
    if let pair = peek(forKey: key), !pair.expiry.isExpired(by: clock) { return pair }
    return try changes.order.withTurn(.key(key), reads: true) {
      let parts = try parts(of: key) {
        try first.entryIfPresent(forKey: key)
      } and: {
        try second.entryIfPresent(forKey: key)
      }
      return parts.map { pair($0, $1) }
    }
  }

  @inlinable
  package func expiryIfPresent(forKey key: Key) throws -> Expiry? {
    try changes.order.withTurn(.key(key), reads: true) {
      let parts = try parts(of: key) {
        try first.expiryIfPresent(forKey: key)
      } and: {
        try second.expiryIfPresent(forKey: key)
      }
      return parts.map { .earlier($0, $1) }
    }
  }

  @usableFromInline
  package func entries(forKeys keys: [Key]) throws -> [Key: Entry<Value>] {
    try changes.order.withTurn(TurnScope(keys), reads: true) {
      let parts = try parts {
        try first.entries(forKeys: keys)
      } and: {
        try second.entries(forKeys: keys)
      }
      guard let (one, two) = parts else { return [:] }
      return two.reduce(into: [:]) { pairs, next in
        pairs[next.key] = one[next.key].map { pair($0, next.value) }
      }
    }
  }

  @usableFromInline
  package func keys() throws -> [Key] {
    let parts = try parts {
      try first.keys()
    } and: {
      try second.keys()
    }
    guard let (one, two) = parts else { return [] }
    return one.filter(Set(two).contains)
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
    } and: { expiry in
      try second.setObject(object.1, forKey: key, expiry: expiry)
    }
  }

  @usableFromInline
  package func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    try write(.key(key), [key], expiry: expiry, restore: .replacing) { expiry in
      let expiry = try first.expiryIfPresent(forKey: key) ?? expiry
      try first.replaceObject(object.0, forKey: key, expiry: expiry)
    } and: { expiry in
      let expiry = try second.expiryIfPresent(forKey: key) ?? expiry
      try second.replaceObject(object.1, forKey: key, expiry: expiry)
    }
  }

  @usableFromInline
  package func setObjects(_ objects: [Key: Value], expiry: Expiry?) throws {
    try write(TurnScope(objects.keys), Array(objects.keys), expiry: expiry) { expiry in
      try first.setObjects(objects.mapValues(\.0), expiry: expiry)
    } and: { expiry in
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
}
