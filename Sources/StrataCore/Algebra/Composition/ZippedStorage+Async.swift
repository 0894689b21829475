// sync: extension ZippedStorage: SyncStorageAware where A: SyncStorageAware, B: SyncStorageAware {
extension ZippedStorage {
  @usableFromInline  // sync: @inlinable
  package func entryIfPresent(forKey key: Key) async throws -> Entry<Value>? {
    if let pair = peek(forKey: key), !pair.expiry.isExpired(by: clock) { return pair }
    return try await changes.order.withTurn(.key(key), reads: true) {
      let parts = try await parts(of: key) {
        try await first.entryIfPresent(forKey: key)
      } and: {
        try await second.entryIfPresent(forKey: key)
      }
      return parts.map { pair($0, $1) }
    }
  }

  @usableFromInline  // sync: @inlinable
  package func expiryIfPresent(forKey key: Key) async throws -> Expiry? {
    try await changes.order.withTurn(.key(key), reads: true) {
      let parts = try await parts(of: key) {
        try await first.expiryIfPresent(forKey: key)
      } and: {
        try await second.expiryIfPresent(forKey: key)
      }
      return parts.map { .earlier($0, $1) }
    }
  }

  @usableFromInline
  package func entries(forKeys keys: [Key]) async throws -> [Key: Entry<Value>] {
    try await changes.order.withTurn(TurnScope(keys), reads: true) {
      let parts = try await parts {
        try await first.entries(forKeys: keys)
      } and: {
        try await second.entries(forKeys: keys)
      }
      guard let (one, two) = parts else { return [:] }
      return two.reduce(into: [:]) { pairs, next in
        pairs[next.key] = one[next.key].map { pair($0, next.value) }
      }
    }
  }

  @usableFromInline
  package func keys() async throws -> [Key] {
    let parts = try await parts {
      try await first.keys()
    } and: {
      try await second.keys()
    }
    guard let (one, two) = parts else { return [] }
    return one.filter(Set(two).contains)
  }

  /// Returns a page of the first store's keys, without the keys that the second store does not have.
  @usableFromInline
  package func keyPage(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key> {
    let page = try await first.keyPage(after: cursor, limit: limit)
    let inSecond = try await second.stored(page.keys)
    return page.replacingKeys { $0.filter(inSecond.contains) }
  }

  @usableFromInline
  package func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    try await write(.key(key), [key], expiry: expiry) { expiry in
      try await first.setObject(object.0, forKey: key, expiry: expiry)
    } and: { expiry in
      try await second.setObject(object.1, forKey: key, expiry: expiry)
    }
  }

  @usableFromInline
  package func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    try await write(.key(key), [key], expiry: expiry, restore: .replacing) { expiry in
      let expiry = try await first.expiryIfPresent(forKey: key) ?? expiry
      try await first.replaceObject(object.0, forKey: key, expiry: expiry)
    } and: { expiry in
      let expiry = try await second.expiryIfPresent(forKey: key) ?? expiry
      try await second.replaceObject(object.1, forKey: key, expiry: expiry)
    }
  }

  @usableFromInline
  package func setObjects(_ objects: [Key: Value], expiry: Expiry?) async throws {
    try await write(TurnScope(objects.keys), Array(objects.keys), expiry: expiry) { expiry in
      try await first.setObjects(objects.mapValues(\.0), expiry: expiry)
    } and: { expiry in
      try await second.setObjects(objects.mapValues(\.1), expiry: expiry)
    }
  }

  @usableFromInline
  package func removeObject(forKey key: Key) async throws {
    try await changes.make(.key(key)) {
      try await both {
        try await first.removeObject(forKey: key)
      } and: {
        try await second.removeObject(forKey: key)
      }
    }
  }

  @usableFromInline
  package func removeObjects(forKeys keys: [Key]) async throws {
    try await changes.make(TurnScope(keys)) {
      try await both {
        try await first.removeObjects(forKeys: keys)
      } and: {
        try await second.removeObjects(forKeys: keys)
      }
    }
  }

  @usableFromInline
  package func removeAll() async throws {
    try await changes.make(.everything) {
      try await both {
        try await first.removeAll()
      } and: {
        try await second.removeAll()
      }
    }
  }

  @usableFromInline
  package func removeExpiredObjects() async throws {
    try await both {
      try await first.removeExpiredObjects()
    } and: {
      try await second.removeExpiredObjects()
    }
  }

  @usableFromInline
  package func removeInMemoryObject(forKey key: Key) async throws {
    try await changes.make(.key(key)) {
      try await both {
        try await first.removeInMemoryObject(forKey: key)
      } and: {
        try await second.removeInMemoryObject(forKey: key)
      }
    }
  }
}
