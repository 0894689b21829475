// sync: extension CacheStrategyStorage: SyncStorageAware where Base: SyncStorageAware {
extension CacheStrategyStorage {
  @usableFromInline  // sync: @inlinable
  package func entryIfPresent(forKey key: Key) async throws -> Entry<Value>? {
    switch strategy {
    case .noCache: return try await base.entryIfPresent(forKey: key)
    case .cache:
      let cached = try cached(key)
      if isLive(cached) { return cached }
      return try await base.entryIfPresent(forKey: key) ?? cached
    case .cacheOnFailure:
      let read = reads.start(key)
      let found: Entry<Value>?
      do { found = try await base.entryIfPresent(forKey: key) } catch {
        reads.giveUp(key)
        return try fallback([key], after: error)[key]
      }
      try learn(found, of: key, from: read)
      return found
    }
  }

  @usableFromInline
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

  @usableFromInline  // sync: @inlinable
  package func expiryIfPresent(forKey key: Key) async throws -> Expiry? {
    switch strategy {
    case .noCache: return try await base.expiryIfPresent(forKey: key)
    case .cache:
      let cached = try expiryInCache(key)
      if isLive(cached) { return cached }
      return try await base.expiryIfPresent(forKey: key) ?? cached
    case .cacheOnFailure:
      do { return try await base.expiryIfPresent(forKey: key) } catch {
        return try fallback([key], after: error)[key]?.expiry
      }
    }
  }

  /// Returns the keys of the entries that reads would return.
  @usableFromInline
  package func keys() async throws -> [Key] {
    switch strategy {
    case .noCache: return try await base.keys()
    case .cache: return try await withCached(base.keys())
    case .cacheOnFailure:
      do { return try await base.keys() } catch { return try fallbackKeys(after: error) }
    }
  }

  /// Returns a page of the keys of the entries that reads would return. A failure on a later page than the first is
  /// thrown: the keys of the cache would repeat keys of earlier pages.
  @usableFromInline
  package func keyPage(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key> {
    if strategy == .noCache { return try await base.keyPage(after: cursor, limit: limit) }
    let position = try ChainedPosition(cursor)
    switch (position, strategy) {
    case (.first(let cursor), .cache):
      return position.page(try await base.keyPage(after: cursor, limit: limit))
    case (.first(let cursor), _):
      do { return position.lastPage(try await base.keyPage(after: cursor, limit: limit)) } catch {
        if cursor != nil { throw error }
        return ChainedPosition.second(nil).page(try fallbackPage(limit: limit, after: error))
      }
    case (.second(let cursor), .cache):
      let page = try cachePage(after: cursor, limit: limit)
      let inBase = try await base.stored(page.keys)
      return position.page(page.replacingKeys { $0.filter { !inBase.contains($0) } })
    case (.second(let cursor), _): return position.page(try cachePage(after: cursor, limit: limit))
    }
  }

  @usableFromInline
  package func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    let expiry = expiry?.resolved(by: clock)
    try await saving([key: object], .key(key), expiry) {
      try await base.setObject(object, forKey: key, expiry: expiry)
    }
  }

  @usableFromInline
  package func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    try await saving([key: object], .key(key), nil, replacing: expiry) {
      let expiry = try await base.expiryIfPresent(forKey: key) ?? expiry
      try await base.replaceObject(object, forKey: key, expiry: expiry)
    }
  }

  @usableFromInline
  package func setObjects(_ objects: [Key: Value], expiry: Expiry?) async throws {
    let expiry = expiry?.resolved(by: clock)
    try await saving(objects, TurnScope(objects.keys), expiry) {
      try await base.setObjects(objects, expiry: expiry)
    }
  }

  @usableFromInline
  package func removeObject(forKey key: Key) async throws {
    try await removing(.key(key)) {
      try await base.removeObject(forKey: key)
    } then: {
      try cache.removeObject(forKey: key)
    }
  }

  @usableFromInline
  package func removeObjects(forKeys keys: [Key]) async throws {
    try await removing(TurnScope(keys)) {
      try await base.removeObjects(forKeys: keys)
    } then: {
      try cache.removeObjects(forKeys: keys)
    }
  }

  @usableFromInline
  package func removeAll() async throws {
    try await removing(.everything) {
      try await base.removeAll()
    } then: {
      try cache.removeAll()
    }
  }

  @usableFromInline
  package func removeInMemoryObject(forKey key: Key) async throws {
    try await removing(.key(key)) {
      try await base.removeInMemoryObject(forKey: key)
    } then: {
      try cache.removeObject(forKey: key)
    }
  }

  @usableFromInline
  package func removeExpiredObjects() async throws {
    do { try await base.removeExpiredObjects() } catch {
      throw settling(after: error, sweepCache)
    }
    try sweepCache()
  }

  /// Reads the store and caches the result. If the store fails, returns the cached entries.
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

  /// Saves values to the cache and the store, in the strategy's order. Until the store's expiry is known, a value that
  /// is saved without one is cached with the expiry of the value that it replaces, or with the store's own.
  private func saving(
    _ objects: @autoclosure () -> [Key: Value], _ scope: TurnScope<Key>, _ expiry: Expiry?,
    replacing replaced: Expiry? = nil, _ inStore: () async throws -> Void
  ) async throws {
    if strategy == .noCache { return try await inStore() }
    let objects = objects()
    try await changes.withTurn(scope) {
      let early = expiry ?? replaced.map(lifetime) ?? ownLifetime
      if strategy == .cache { try cacheAll(objects, early) }
      do { try await inStore() } catch {
        throw settling(after: error) {
          try overtake(scope) {
            if !isFailure(error) {
              try cache.removeObjects(forKeys: Array(objects.keys))
            } else if strategy == .cacheOnFailure || early == nil {
              try cacheAll(objects, early ?? lifetime(.whileUnknown.resolved(by: clock)))
            }
          }
        }
      }
      let expiries = await expiriesInStore(of: objects.keys, savedWith: expiry, orElse: early)
      if strategy == .cache && expiries == nil { return }
      try overtake(scope) { try cacheAll(objects, early, each: expiries) }
    }
  }

  /// Returns the expiries in the cache of saved values, or `nil` if they were saved with an expiry.
  ///
  /// If the store fails to return an expiry, the save has still succeeded: the value then has the expiry `known`. A
  /// value that the store no longer has, or whose expiry is unknown, has none, and must not be cached.
  func expiriesInStore(
    of keys: some Collection<Key>, savedWith expiry: Expiry?, orElse known: Expiry?
  ) async -> [Key: Expiry]? {
    if expiry != nil || !valuesExpire { return nil }
    var found: [Key: Expiry] = [:]
    for key in keys {
      do {
        found[key] = try await finishing { try await base.expiryIfPresent(forKey: key) }.map(lifetime)
      } catch {
        found[key] = known
      }
    }
    return found
  }

  /// Removes from the store, then from the cache even if the store fails.
  private func removing(
    _ scope: TurnScope<Key>, _ inStore: () async throws -> Void, then inCache: () throws -> Void
  ) async throws {
    if strategy == .noCache { return try await inStore() }
    try await changes.withTurn(scope) {
      do { try await inStore() } catch {
        throw settling(after: error) { try overtake(scope, inCache) }
      }
      try overtake(scope, inCache)
    }
  }
}
