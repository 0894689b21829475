/// The combinator that puts a memory cache in front of a store, with a `CacheStrategy`.
///
/// The cache never waits. Changes of one key take turns, so that cache and store agree; reads take no turn. Use the
/// same clock for both. A value is cached no longer than it is valid in the store.
@usableFromInline
package struct CacheStrategyStorage<Base: StorageAware, Cache: SyncStorageAware>: StorageAware
where Cache.Key == Base.Key, Cache.Value == Base.Value {
  @usableFromInline
  package typealias Key = Base.Key
  @usableFromInline
  package typealias Value = Base.Value

  @usableFromInline let base: Base
  @usableFromInline let cache: Cache
  @usableFromInline let strategy: CacheStrategy
  /// The latest expiry of a cached value, unless it was saved with an expiry.
  @usableFromInline let cacheExpiry: Expiry
  /// Whether the store may set an expiry for a value that is saved without one.
  let valuesExpire: Bool
  /// The expiry that the store sets for a value that is saved without one; `nil` if it is unknown.
  let ownExpiry: Expiry?
  @usableFromInline let changes: KeyOrder<Key>
  @usableFromInline let reads = ReadRace<Key>()
  @usableFromInline let leaving: LeavingValues<Value>

  @usableFromInline
  package init(
    _ base: Base, cache: Cache, strategy: CacheStrategy, cacheExpiry: Expiry = .never,
    valuesExpire: Bool = true, leaving: LeavingValues<Value> = LeavingValues()
  ) {
    self.base = base
    changes = KeyOrder(over: [base])
    self.cache = cache
    self.strategy = strategy
    self.cacheExpiry = cacheExpiry
    self.valuesExpire = valuesExpire
    ownExpiry = valuesExpire ? base.earliestOwnExpiry : .never
    self.leaving = leaving
  }

  @usableFromInline
  package var wrappedStorages: [any StorageDesign] { strategy == .noCache ? [base] : [cache, base] }
  @inlinable
  package var clock: StorageClock { base.clock }
  /// Always `true` with a cache: a call may wait for its key's turn while a suspended task has it.
  @usableFromInline
  package var mayBlock: Bool { strategy == .noCache ? base.mayBlock : true }
  @usableFromInline
  package var coordinator: StorageCoordinator<Key>? { base.coordinator }

  /// Returns the cached entry. With `cacheOnFailure` returns `nil`, so that every read goes to the store and updates
  /// the cache.
  @inlinable
  package func peek(forKey key: Key) -> Entry<Value>? {
    switch strategy {
    case .noCache: return base.peek(forKey: key)
    case .cache:
      let cached = cache.peek(forKey: key)
      return isLive(cached) ? cached : base.peek(forKey: key)
    case .cacheOnFailure: return nil
    }
  }

  @inlinable
  func isLive(_ entry: Entry<Value>?) -> Bool { entry.map { isLive($0.expiry) } ?? false }

  @inlinable
  func isLive(_ expiry: Expiry?) -> Bool { expiry.map { !$0.isExpired(by: clock) } ?? false }

  /// Returns whether an error is a failure of the store. Cancellation of the caller's task is not a failure; a
  /// `CancellationError` while the task is not cancelled is.
  func isFailure(_ error: any Error) -> Bool { !(error is CancellationError && Task.isCancelled) }

  // MARK: The cache, synchronous in the async variants too

  @inlinable
  func cached(_ key: Key) throws -> Entry<Value>? { try cache.entryIfPresent(forKey: key) }
  func cached(_ keys: [Key]) throws -> [Key: Entry<Value>] { try cache.entries(forKeys: keys) }
  @inlinable
  func expiryInCache(_ key: Key) throws -> Expiry? { try cache.expiryIfPresent(forKey: key) }
  func cachePage(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<Key> {
    try cache.keyPage(after: cursor, limit: limit)
  }
  func sweepCache() throws { try cache.removeExpiredObjects() }

  // MARK: Updating the cache after reads

  /// Updates the cache with the store's result: found entries are cached, missing ones are removed.
  func learn(_ found: [Key: Entry<Value>], from read: ReadRace<Key>.Runner) throws {
    try leaving.keeping {
      try reads.arrive(read) { key in
        if let entry = found[key], isLive(entry) {
          try cache.setObject(entry.object, forKey: key, expiry: lifetime(entry.expiry))
        } else {
          try cache.removeObject(forKey: key)
        }
      }
    }
  }

  /// Updates the cache with the store's result for one key.
  @inlinable
  func learn(_ found: Entry<Value>?, of key: Key, from read: UInt64) throws {
    try leaving.keeping {
      try reads.arrive(key, read) {
        if let found, isLive(found) {
          try cache.setObject(found.object, forKey: key, expiry: lifetime(found.expiry))
        } else {
          try cache.removeObject(forKey: key)
        }
      }
    }
  }

  /// Returns the cached entries of all keys of a failed read. Throws the failure if one is missing, since a key without
  /// an entry in the result counts as not stored.
  @usableFromInline
  func fallback(_ keys: [Key], after failure: any Error) throws -> [Key: Entry<Value>] {
    let cached = try cached(keys)
    guard isFailure(failure), keys.allSatisfy({ isLive(cached[$0]) }) else { throw failure }
    return cached
  }

  /// Returns the keys of the cache after the store has failed to list its keys. Throws the failure if the cache is
  /// empty.
  func fallbackKeys(after failure: any Error) throws -> [Key] {
    let cached = try cache.keys()
    guard isFailure(failure), !cached.isEmpty else { throw failure }
    return cached
  }

  /// Returns the first page of the keys of the cache after the store has failed to list its keys. Throws the failure if
  /// the cache is empty.
  func fallbackPage(limit: Int, after failure: any Error) throws -> KeyPage<Key> {
    let cached = try cache.keyPage(after: nil, limit: limit)
    guard isFailure(failure), !cached.keys.isEmpty || cached.next != nil else { throw failure }
    return cached
  }

  /// Returns the given keys of the store, and the keys that only the cache has.
  func withCached(_ keys: [Key]) throws -> [Key] {
    let known = Set(keys)
    return try keys + cache.keys().filter { !known.contains($0) }
  }

  // MARK: Updating the cache after changes

  /// Changes the cache after the store. Reads that began earlier no longer change it.
  func overtake(_ scope: TurnScope<Key>, _ settle: () throws -> Void) rethrows {
    try leaving.keeping { try reads.overtake(scope, settle) }
  }

  /// Caches saved values with the given expiry. With `expiries`, caches each value with its own, and removes values
  /// without one from the cache.
  func cacheAll(_ objects: [Key: Value], _ expiry: Expiry?, each expiries: [Key: Expiry]? = nil) throws {
    guard let expiries else { return try cache.setObjects(objects, expiry: expiry) }
    for (key, object) in objects {
      if let expiry = expiries[key] {
        try cache.setObject(object, forKey: key, expiry: expiry)
      } else {
        try cache.removeObject(forKey: key)
      }
    }
  }

  /// Returns the expiry in the cache of a value that is saved without one; `nil` if the store's is unknown.
  var ownLifetime: Expiry? { ownExpiry.map { lifetime($0.resolved(by: clock)) } }

  /// Returns the expiry in the cache of a value with this expiry in the store.
  @inlinable
  func lifetime(_ stored: Expiry) -> Expiry {
    if cacheExpiry == .never { return stored }
    return .earlier(stored, cacheExpiry.resolved(by: clock))
  }

  /// Updates the cache after the store has failed. Returns the error to throw.
  func settling(after failure: any Error, _ inCache: () throws -> Void) -> any Error {
    do {
      try inCache()
      return failure
    } catch {
      return StorageError.backendFailed.with(
        "the store failed, and then the cache, which may hold an old value: \(error)", cause: failure)
    }
  }
}
