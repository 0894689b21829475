extension ZippedStorage {
  package func entryIfPresent(forKey key: Key) async throws -> Entry<Value>? {
    try await changes.order.withTurn(.key(key)) {
      guard let one = try await first.entryIfPresent(forKey: key) else { return nil }
      return try await second.entryIfPresent(forKey: key).map { pair(one, $0) }
    }
  }

  package func entries(forKeys keys: [Key]) async throws -> [Key: Entry<Value>] {
    try await changes.order.withTurn(TurnScope(keys)) {
      let one = try await first.entries(forKeys: keys)
      let two = try await second.entries(forKeys: Array(one.keys))
      return two.reduce(into: [:]) { pairs, next in
        pairs[next.key] = one[next.key].map { pair($0, next.value) }
      }
    }
  }

  package func expiryIfPresent(forKey key: Key) async throws -> Expiry? {
    try await changes.order.withTurn(.key(key)) {
      guard let one = try await first.expiryIfPresent(forKey: key) else { return nil }
      return try await second.expiryIfPresent(forKey: key).map { earlier(one, $0) }
    }
  }

  package func keys() async throws -> [Key] {
    let inSecond = try await Set(second.keys())
    return try await first.keys().filter(inSecond.contains)
  }

  package func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    try await write(.key(key), [key], expiry: expiry) { expiry in
      try await first.setObject(object.0, forKey: key, expiry: expiry)
    } then: { expiry in
      try await second.setObject(object.1, forKey: key, expiry: expiry)
    }
  }

  package func setObjects(_ objects: [Key: Value], expiry: Expiry?) async throws {
    try await write(TurnScope(objects.keys), Array(objects.keys), expiry: expiry) { expiry in
      try await first.setObjects(objects.mapValues(\.0), expiry: expiry)
    } then: { expiry in
      try await second.setObjects(objects.mapValues(\.1), expiry: expiry)
    }
  }

  package func removeObject(forKey key: Key) async throws {
    try await changes.make(.key(key)) {
      try await both {
        try await first.removeObject(forKey: key)
      } and: {
        try await second.removeObject(forKey: key)
      }
    }
  }

  package func removeObjects(forKeys keys: [Key]) async throws {
    try await changes.make(TurnScope(keys)) {
      try await both {
        try await first.removeObjects(forKeys: keys)
      } and: {
        try await second.removeObjects(forKeys: keys)
      }
    }
  }

  package func removeAll() async throws {
    try await changes.make(.everything) {
      try await both {
        try await first.removeAll()
      } and: {
        try await second.removeAll()
      }
    }
  }

  package func removeExpiredObjects() async throws {
    try await both {
      try await first.removeExpiredObjects()
    } and: {
      try await second.removeExpiredObjects()
    }
  }

  package func removeInMemoryObject(forKey key: Key) async throws {
    try await changes.make(.key(key)) {
      try await both {
        try await first.removeInMemoryObject(forKey: key)
      } and: {
        try await second.removeInMemoryObject(forKey: key)
      }
    }
  }

  /// Writes the first parts, then the second; if these fail, gives the first store back what it had.
  private func write(
    _ scope: TurnScope<Key>, _ keys: [Key], expiry: Expiry?, _ writeFirst: (Expiry?) async throws -> Void,
    then writeSecond: (Expiry?) async throws -> Void
  ) async throws {
    let expiry = expiry?.resolved(by: clock)
    try await changes.make(scope) {
      let before: Result<[Key: Entry<A.Value>], any Error>
      do { before = .success(try await first.entries(forKeys: keys)) } catch { before = .failure(error) }
      try await writeFirst(expiry)
      do { try await writeSecond(expiry) } catch {
        do { try await restore(keys, before.get()) } catch let second {
          throw halfWritten(
            keys.count == 1 ? keys.first : nil, error,
            "and what the first had could not be put back: \(second)")
        }
        throw error
      }
    }
  }

  private func restore(_ keys: [Key], _ before: [Key: Entry<A.Value>]) async throws {
    for key in keys {
      if let entry = before[key] {
        try await first.setObject(entry.object, forKey: key, expiry: entry.expiry)
      } else {
        try await first.removeObject(forKey: key)
      }
    }
  }

  /// Does both, also if the first fails.
  private func both(_ one: () async throws -> Void, and other: () async throws -> Void) async throws {
    do { try await one() } catch {
      do { try await other() } catch let second { throw doubleFault(error, second) }
      throw error
    }
    try await other()
  }
}
