public import StrataAlgebra

/// What a change of the store changes in the cache.
enum CacheEdit<Key: Hashable & Sendable, Value: Sendable> {
  /// Caches saved values. Unless their expiries are final, the store has its own for them. What is saved `ifAbsent` is
  /// cached once the store has stored it.
  case save(StoreBatch<Key, Value>, isFinal: Bool, ifAbsent: Bool)
  case touch(Key, Expiry)
  case remove
}

/// The cache, synchronous in the async variants too.
extension CacheStrategyStorage {
  @inlinable
  func cached(_ key: Key, _ how: How) throws -> Entry<Value>? { try cache.read(key, how) }
  func cached(_ keys: [Key]) throws -> [Key: Entry<Value>] { try cache.read(keys, []) }
  func cachePage(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<Key> {
    try cache.list(after: cursor, limit: limit)
  }
  func sweepCache() throws { try cache.clear(.expired) }

  // MARK: After reads

  /// Updates the cache with the store's result: found entries are cached, missing ones are removed.
  func learn(_ found: [Key: Entry<Value>], from read: ReadRace<Key>.Runner) throws {
    try leaving.keeping { try reads.arrive(read) { try cache(found[$0], forKey: $0) } }
  }

  /// Updates the cache with the store's result for one key.
  @inlinable
  func learn(_ found: Entry<Value>?, of key: Key, from read: UInt64) throws {
    try leaving.keeping { try reads.arrive(key, read) { try cache(found, forKey: key) } }
  }

  @inlinable
  func cache(_ found: Entry<Value>?, forKey key: Key) throws {
    if let found, found.isLive(by: clock) {
      try cache.setObject(found.object, forKey: key, expiry: lifetime(found.expiry))
    } else {
      try cache.removeObject(forKey: key)
    }
  }

  /// Starts a read whose result is cached. Returns `nil` for a read of the expiry only, which is not.
  @inlinable
  func start(_ key: Key, _ how: How) throws -> UInt64? {
    if how.contains(.expiryOnly) { return nil }
    if how.contains(.atOnce) { throw WouldWait() }
    return reads.start(key)
  }

  /// Ends a failed read of one key. Returns the cached entry, or throws the failure.
  @usableFromInline
  func fallback(_ key: Key, _ read: UInt64?, after failure: any Error) throws -> Entry<Value>? {
    if read != nil { reads.giveUp(key) }
    return try fallback([key], nil, after: failure)[key]
  }

  /// Ends a failed read. With `cacheOnFailure`, returns the cached entries of all keys. Throws the failure if one is
  /// missing, since a key without an entry in the result counts as not stored.
  func fallback(
    _ keys: [Key], _ read: ReadRace<Key>.Runner?, after failure: any Error
  ) throws -> [Key: Entry<Value>] {
    if let read { reads.giveUp(read) }
    if strategy != .cacheOnFailure || !isFailure(failure) { throw failure }
    let cached = try cached(keys)
    guard keys.allSatisfy({ cached[$0].isLive(by: clock) }) else { throw failure }
    return cached
  }

  /// Returns the first page of the keys of the cache after the store has failed to list its keys. Throws the failure if
  /// the cache is empty, and without `cacheOnFailure`.
  func fallbackPage(after cursor: KeyCursor?, limit: Int, _ failure: any Error) throws -> KeyPage<Key> {
    if strategy != .cacheOnFailure || cursor != nil || !isFailure(failure) { throw failure }
    let cached = try cache.list(after: nil, limit: limit)
    if cached.keys.isEmpty && cached.next == nil { throw failure }
    return ChainedPosition.second(nil).page(cached)
  }

  /// Returns a page of the keys of the store. With the strategy `cache`, the keys that only the cache has follow: on
  /// the same page, if it has all keys.
  func page(after cursor: KeyCursor?, _ inBase: KeyPage<Key>, limit: Int) throws -> KeyPage<Key> {
    let position = ChainedPosition.first(cursor)
    if strategy != .cache { return position.lastPage(inBase) }
    guard cursor == nil, limit == .max, inBase.next == nil else { return position.page(inBase) }
    let known = Set(inBase.keys)
    return KeyPage(keys: try inBase.keys + cache.keys().filter { !known.contains($0) }, next: nil)
  }

  // MARK: Before and after changes

  /// Returns what a change of a key changes in the cache.
  func edit(_ key: Key, _ change: StoreChange<Value>) -> CacheEdit<Key, Value> {
    switch change.kind {
    case .set(let expiry): edit(.set([key: change.object], expiry))
    case .replace(let expiry): edit(.set([key: change.object], nil), early: expiry.map(lifetime))
    case .setIfAbsent(let expiry): edit(.set([key: change.object], expiry), ifAbsent: true)
    case .touch(let expiry): .touch(key, expiry)
    case .remove, .forget: .remove
    }
  }

  /// Returns what a change of many keys changes in the cache. Until the store's expiry is known, a value that is saved
  /// without one is cached with the expiry `early` of the value that it replaces, or with the store's own.
  func edit(
    _ batch: StoreBatch<Key, Value>, early: Expiry? = nil, ifAbsent: Bool = false
  ) -> CacheEdit<Key, Value> {
    switch batch {
    case .set(let objects, nil):
      .save(.set(objects, early ?? ownLifetime), isFinal: !valuesExpire, ifAbsent: ifAbsent)
    case .set, .setEntries: .save(batch, isFinal: true, ifAbsent: ifAbsent)
    case .remove: .remove
    }
  }

  /// Changes the cache before the store: with the strategy `cache`, a value is read before it is stored.
  func begin(_ edit: CacheEdit<Key, Value>) throws {
    if strategy == .cache, case .save(let batch, _, ifAbsent: false) = edit { try cache.change(batch, []) }
  }

  /// Changes the cache after the store. With `expiries`, each saved value has its own, and one without is not cached.
  func settle(
    _ scope: TurnScope<Key>, _ edit: CacheEdit<Key, Value>, isMade: Bool, _ expiries: [Key: Expiry]?
  ) throws {
    if case .save(_, _, let ifAbsent) = edit, expiries == nil, !isMade || strategy == .cache && !ifAbsent {
      return
    }
    try overtake(scope) {
      switch edit {
      case .save(.set(let objects, _), _, _) where expiries != nil:
        for (key, object) in objects {
          try cache.change(key, expiries?[key].map { .set(object, $0) } ?? .remove, [])
        }
      case .save(let batch, _, _): try cache.change(batch, [])
      case .touch(let key, let expiry): try cache.change(key, isMade ? .touch(expiry) : .remove, [])
      case .remove: try remove(scope)
      }
    }
  }

  /// Changes the cache after the store has failed, which may have made the change. Returns the error to throw.
  func settled(
    _ scope: TurnScope<Key>, _ edit: CacheEdit<Key, Value>, after failure: any Error
  ) -> any Error {
    settling(after: failure) {
      try overtake(scope) {
        switch edit {
        case .save(_, _, ifAbsent: true): break
        case .save where !isFailure(failure), .remove: try remove(scope)
        case .save(let batch, _, _): if strategy == .cacheOnFailure { try cache.change(batch, []) }
        case .touch(let key, let expiry):
          guard let cached = try cache.expiryIfPresent(forKey: key) else { return }
          try cache.change(key, .touch(.earlier(cached, expiry)), [])
        }
      }
    }
  }

  private func remove(_ scope: TurnScope<Key>) throws {
    switch scope {
    case .key(let key): try cache.change(key, .remove, [])
    case .keys(let keys): try cache.change(.remove(Array(keys)), [])
    case .everything: try cache.clear(.everything)
    }
  }

  /// Changes the cache after the store. Reads that began earlier no longer change it.
  func overtake(_ scope: TurnScope<Key>, _ settle: () throws -> Void) rethrows {
    try leaving.keeping { try reads.overtake(scope, settle) }
  }

  /// Returns `true`: a change of many keys has no condition.
  func made(_: Void) -> Bool { true }

  /// Updates the cache after the store has failed. Returns the error to throw.
  func settling(after failure: any Error, _ inCache: () throws -> Void) -> any Error {
    do { try inCache() } catch {
      return StorageError.backendFailed.with(
        "the store failed, and then the cache, which may hold an old value: \(error)", cause: failure)
    }
    return failure
  }
}
