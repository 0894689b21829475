extension CacheStrategyStorage {
  package func entryIfPresent(forKey key: Key) async throws -> Entry<Value>? {
    switch strategy {
    case .noCache: return try await base.entryIfPresent(forKey: key)
    case .cache:
      let cached = try cached(key)
      if isLive(cached) { return cached }
      return try await base.entryIfPresent(forKey: key) ?? cached
    case .cacheOnFailure:
      return try await asking([key]) {
        guard let entry = try await base.entryIfPresent(forKey: key) else { return [:] }
        return [key: entry]
      }[key]
    }
  }

  package func entries(forKeys keys: [Key]) async throws -> [Key: Entry<Value>] {
    switch strategy {
    case .noCache: return try await base.entries(forKeys: keys)
    case .cache:
      let cached = try cached(keys)
      let missing = keys.filter { !isLive(cached[$0]) }
      if missing.isEmpty { return cached }
      return try await cached.merging(base.entries(forKeys: missing)) { $1 }
    case .cacheOnFailure:
      return try await asking(keys) { try await base.entries(forKeys: keys) }
    }
  }

  package func expiryIfPresent(forKey key: Key) async throws -> Expiry? {
    switch strategy {
    case .noCache: return try await base.expiryIfPresent(forKey: key)
    case .cache:
      let cached = try cachedExpiry(key)
      if isLive(cached) { return cached }
      return try await base.expiryIfPresent(forKey: key) ?? cached
    case .cacheOnFailure:
      do { return try await base.expiryIfPresent(forKey: key) } catch {
        return try fallback([key], after: error)[key]?.expiry
      }
    }
  }

  /// The keys of what reads would return.
  package func keys() async throws -> [Key] {
    switch strategy {
    case .noCache: return try await base.keys()
    case .cache: return try await withCached(base.keys())
    case .cacheOnFailure:
      do { return try await base.keys() } catch { return try fallbackKeys(after: error) }
    }
  }

  package func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    let expiry = expiry?.resolved(by: clock)
    try await saving(.key(key)) {
      try await base.setObject(object, forKey: key, expiry: expiry)
    } caching: {
      try cache.setObject(object, forKey: key, expiry: expiry)
    } clearing: {
      try cache.removeObject(forKey: key)
    }
  }

  package func setObjects(_ objects: [Key: Value], expiry: Expiry?) async throws {
    let expiry = expiry?.resolved(by: clock)
    try await saving(TurnScope(objects.keys)) {
      try await base.setObjects(objects, expiry: expiry)
    } caching: {
      try cache.setObjects(objects, expiry: expiry)
    } clearing: {
      try cache.removeObjects(forKeys: Array(objects.keys))
    }
  }

  package func removeObject(forKey key: Key) async throws {
    try await changing(.key(key)) {
      try await base.removeObject(forKey: key)
    } then: { _ in
      try cache.removeObject(forKey: key)
    }
  }

  package func removeObjects(forKeys keys: [Key]) async throws {
    try await changing(TurnScope(keys)) {
      try await base.removeObjects(forKeys: keys)
    } then: { _ in
      try cache.removeObjects(forKeys: keys)
    }
  }

  package func removeAll() async throws {
    try await changing(.everything) {
      try await base.removeAll()
    } then: { _ in
      try cache.removeAll()
    }
  }

  package func removeInMemoryObject(forKey key: Key) async throws {
    try await changing(.key(key)) {
      try await base.removeInMemoryObject(forKey: key)
    } then: { _ in
      try cache.removeObject(forKey: key)
    }
  }

  package func removeExpiredObjects() async throws {
    do { try await base.removeExpiredObjects() } catch {
      throw settling(after: error, sweepCache)
    }
    try sweepCache()
  }

  /// Asks the store and notes its answer; if it fails, answers from the cache.
  private func asking(
    _ keys: [Key], _ store: () async throws -> [Key: Entry<Value>]
  ) async throws -> [Key: Entry<Value>] {
    let read = reads.start(keys)
    let found: [Key: Entry<Value>]
    do { found = try await store() } catch {
      reads.giveUp(read)
      return try fallback(keys, after: error)
    }
    try learn(found, from: read)
    return found
  }

  /// Saves in the order that the strategy says.
  private func saving(
    _ scope: TurnScope<Key>, _ inStore: () async throws -> Void,
    caching cacheAll: () throws -> Void, clearing clearAll: () throws -> Void
  ) async throws {
    guard strategy == .cache else {
      return try await changing(scope, inStore) { error in
        try isFailure(error) ? cacheAll() : clearAll()
      }
    }
    try await changes.withTurn(scope) {
      try cacheAll()
      do { try await inStore() } catch let error as CancellationError {
        throw settling(after: error, clearAll)
      }
    }
  }

  /// Changes the store, then the cache, also if the store fails.
  private func changing(
    _ scope: TurnScope<Key>, _ inStore: () async throws -> Void,
    then inCache: ((any Error)?) throws -> Void
  ) async throws {
    if strategy == .noCache { return try await inStore() }
    try await changes.withTurn(scope) {
      do { try await inStore() } catch {
        reads.overtake(scope)
        throw settling(after: error) { try inCache(error) }
      }
      reads.overtake(scope)
      try inCache(nil)
    }
  }
}
