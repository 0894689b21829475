// Generated from CacheStrategyStorage+Async.swift by `make twins`.
extension CacheStrategyStorage: SyncStorageAware where Base: SyncStorageAware {
  @inlinable
  package func entryIfPresent(forKey key: Key) throws -> Entry<Value>? {
    switch strategy {
    case .noCache: return try base.entryIfPresent(forKey: key)
    case .cache:
      let cached = try cached(key)
      if isLive(cached) { return cached }
      return try base.entryIfPresent(forKey: key) ?? cached
    case .cacheOnFailure:
      let read = reads.start(key)
      let found: Entry<Value>?
      do { found = try base.entryIfPresent(forKey: key) } catch {
        reads.giveUp(key)
        return try fallback([key], after: error)[key]
      }
      try learn(found, of: key, from: read)
      return found
    }
  }

  @usableFromInline
  package func entries(forKeys keys: [Key]) throws -> [Key: Entry<Value>] {
    switch strategy {
    case .noCache: return try base.entries(forKeys: keys)
    case .cache:
      let cached = try cached(keys)
      let missing = keys.filter { !isLive(cached[$0]) }
      if missing.isEmpty { return cached }
      return try cached.merging(base.entries(forKeys: missing)) { $1 }
    case .cacheOnFailure:
      return try asking(keys) { try base.entries(forKeys: keys) }
    }
  }

  @inlinable
  package func expiryIfPresent(forKey key: Key) throws -> Expiry? {
    switch strategy {
    case .noCache: return try base.expiryIfPresent(forKey: key)
    case .cache:
      let cached = try expiryInCache(key)
      if isLive(cached) { return cached }
      return try base.expiryIfPresent(forKey: key) ?? cached
    case .cacheOnFailure:
      do { return try base.expiryIfPresent(forKey: key) } catch {
        return try fallback([key], after: error)[key]?.expiry
      }
    }
  }

  /// Returns the keys of the entries that reads would return.
  @usableFromInline
  package func keys() throws -> [Key] {
    switch strategy {
    case .noCache: return try base.keys()
    case .cache: return try withCached(base.keys())
    case .cacheOnFailure:
      do { return try base.keys() } catch { return try fallbackKeys(after: error) }
    }
  }

  /// Returns a page of the keys of the entries that reads would return. A failure on a later page than the first is
  /// thrown: the keys of the cache would repeat keys of earlier pages.
  @usableFromInline
  package func keyPage(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<Key> {
    if strategy == .noCache { return try base.keyPage(after: cursor, limit: limit) }
    let position = try ChainedPosition(cursor)
    switch (position, strategy) {
    case (.first(let cursor), .cache):
      return position.page(try base.keyPage(after: cursor, limit: limit))
    case (.first(let cursor), _):
      do { return position.lastPage(try base.keyPage(after: cursor, limit: limit)) } catch {
        if cursor != nil { throw error }
        return ChainedPosition.second(nil).page(try fallbackPage(limit: limit, after: error))
      }
    case (.second(let cursor), .cache):
      let page = try cachePage(after: cursor, limit: limit)
      let inBase = try base.stored(page.keys)
      return position.page(page.replacingKeys { $0.filter { !inBase.contains($0) } })
    case (.second(let cursor), _): return position.page(try cachePage(after: cursor, limit: limit))
    }
  }

  @usableFromInline
  package func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    let expiry = expiry?.resolved(by: clock)
    try saving([key: object], .key(key), expiry) {
      try base.setObject(object, forKey: key, expiry: expiry)
    }
  }

  @usableFromInline
  package func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    try saving([key: object], .key(key), nil, replacing: expiry) {
      let expiry = try base.expiryIfPresent(forKey: key) ?? expiry
      try base.replaceObject(object, forKey: key, expiry: expiry)
    }
  }

  @usableFromInline
  package func setObjects(_ objects: [Key: Value], expiry: Expiry?) throws {
    let expiry = expiry?.resolved(by: clock)
    try saving(objects, TurnScope(objects.keys), expiry) {
      try base.setObjects(objects, expiry: expiry)
    }
  }

  @usableFromInline
  package func removeObject(forKey key: Key) throws {
    try removing(.key(key)) {
      try base.removeObject(forKey: key)
    } then: {
      try cache.removeObject(forKey: key)
    }
  }

  @usableFromInline
  package func removeObjects(forKeys keys: [Key]) throws {
    try removing(TurnScope(keys)) {
      try base.removeObjects(forKeys: keys)
    } then: {
      try cache.removeObjects(forKeys: keys)
    }
  }

  @usableFromInline
  package func removeAll() throws {
    try removing(.everything) {
      try base.removeAll()
    } then: {
      try cache.removeAll()
    }
  }

  @usableFromInline
  package func removeInMemoryObject(forKey key: Key) throws {
    try removing(.key(key)) {
      try base.removeInMemoryObject(forKey: key)
    } then: {
      try cache.removeObject(forKey: key)
    }
  }

  @usableFromInline
  package func removeExpiredObjects() throws {
    do { try base.removeExpiredObjects() } catch {
      throw settling(after: error, sweepCache)
    }
    try sweepCache()
  }

  /// Reads the store and caches the result. If the store fails, returns the cached entries.
  private func asking(
    _ keys: [Key], _ store: () throws -> [Key: Entry<Value>]
  ) throws -> [Key: Entry<Value>] {
    let read = reads.start(keys)
    let found: [Key: Entry<Value>]
    do { found = try store() } catch {
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
    replacing replaced: Expiry? = nil, _ inStore: () throws -> Void
  ) throws {
    if strategy == .noCache { return try inStore() }
    let objects = objects()
    try changes.withTurn(scope) {
      let early = expiry ?? replaced.map(lifetime) ?? ownLifetime
      if strategy == .cache { try cacheAll(objects, early) }
      do { try inStore() } catch {
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
      let expiries = expiriesInStore(of: objects.keys, savedWith: expiry, orElse: early)
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
  ) -> [Key: Expiry]? {
    if expiry != nil || !valuesExpire { return nil }
    var found: [Key: Expiry] = [:]
    for key in keys {
      do {
        found[key] = try finishing { try base.expiryIfPresent(forKey: key) }.map(lifetime)
      } catch {
        found[key] = known
      }
    }
    return found
  }

  /// Removes from the store, then from the cache even if the store fails.
  private func removing(
    _ scope: TurnScope<Key>, _ inStore: () throws -> Void, then inCache: () throws -> Void
  ) throws {
    if strategy == .noCache { return try inStore() }
    try changes.withTurn(scope) {
      do { try inStore() } catch {
        throw settling(after: error) { try overtake(scope, inCache) }
      }
      try overtake(scope, inCache)
    }
  }
}
