/// The link that puts a cache in front of a store as a `CacheStrategy` says, key by key.
///
/// The cache is in memory and never waits. Changes of a key take their turn, so that cache and store agree; reads take
/// none. Give both the same clock. A value stays in the cache no longer than it is valid in the store.
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
  /// How long a value is cached at most, unless it was saved with an expiry.
  @usableFromInline let cacheExpiry: Expiry
  /// Whether the store may give an expiry to a value that is saved without one.
  let valuesExpire: Bool
  @usableFromInline let changes: KeyOrder<Key>
  @usableFromInline let reads = ReadRace<Key>()
  @usableFromInline let leaving: LeavingValues<Value>

  @usableFromInline
  package init(
    _ base: Base, cache: Cache, strategy: CacheStrategy, cacheExpiry: Expiry = .never,
    valuesExpire: Bool = true, leaving: LeavingValues<Value> = LeavingValues()
  ) {
    self.base = base
    changes = KeyOrder(tasksMayWait: mayWait(base))
    self.cache = cache
    self.strategy = strategy
    self.cacheExpiry = cacheExpiry
    self.valuesExpire = valuesExpire
    self.leaving = leaving
  }

  @usableFromInline
  package var wrappedStorages: [any StorageDesign] { strategy == .noCache ? [base] : [cache, base] }
  @inlinable
  package var clock: StorageClock { base.clock }
  /// Always where there is a cache: a call may have to wait for its turn, which a task has that is suspended.
  @usableFromInline
  package var mayBlock: Bool { strategy == .noCache ? base.mayBlock : true }
  @usableFromInline
  package var hub: StorageHub<Key>? { base.hub }

  /// Under `cacheOnFailure` nothing: every read is to ask the store, so that the cache hears of its answer.
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

  /// Whether the store failed. That the caller's task was cancelled says nothing about the store; a `CancellationError`
  /// that the store throws of itself does.
  func isFailure(_ error: any Error) -> Bool { !(error is CancellationError && Task.isCancelled) }

  // MARK: The cache, without waiting in the asynchronous half too

  @inlinable
  func cached(_ key: Key) throws -> Entry<Value>? { try cache.entryIfPresent(forKey: key) }
  func cached(_ keys: [Key]) throws -> [Key: Entry<Value>] { try cache.entries(forKeys: keys) }
  @inlinable
  func cachedExpiry(_ key: Key) throws -> Expiry? { try cache.expiryIfPresent(forKey: key) }
  func sweepCache() throws { try cache.removeExpiredObjects() }

  // MARK: What reads leave in the cache

  /// Notes the answer of the store: what it has is cached, what it does not have is forgotten.
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

  /// Notes the answer of the store for one key.
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

  /// What the cache has for all the keys of a read that failed; throws the failure if it lacks one, since what is
  /// missing from an answer counts as not stored.
  @usableFromInline
  func fallback(_ keys: [Key], after failure: any Error) throws -> [Key: Entry<Value>] {
    let cached = try cached(keys)
    guard isFailure(failure), keys.allSatisfy({ isLive(cached[$0]) }) else { throw failure }
    return cached
  }

  /// The keys of the cache when the store cannot list its own; throws the failure if there are none.
  func fallbackKeys(after failure: any Error) throws -> [Key] {
    let cached = try cache.keys()
    guard isFailure(failure), !cached.isEmpty else { throw failure }
    return cached
  }

  /// The keys of the store and those that only the cache has.
  func withCached(_ keys: [Key]) throws -> [Key] {
    let known = Set(keys)
    return try keys + cache.keys().filter { !known.contains($0) }
  }

  // MARK: What changes leave in the cache

  /// Changes the cache after the store: reads that started before leave nothing in it any more.
  func overtake(_ scope: TurnScope<Key>, _ settle: () throws -> Void) rethrows {
    try leaving.keeping { try reads.overtake(scope, settle) }
  }

  /// Caches what was saved: with the expiry that it was saved with, else with that of the store, where it is known.
  func cacheAll(_ objects: [Key: Value], _ expiry: Expiry?, inStore stored: [Key: Expiry] = [:]) throws {
    if stored.isEmpty { return try cache.setObjects(objects, expiry: expiry) }
    for (key, object) in objects {
      try cache.setObject(object, forKey: key, expiry: stored[key].map(lifetime))
    }
  }

  /// How long a value is cached that has an expiry in the store.
  @inlinable
  func lifetime(_ stored: Expiry) -> Expiry {
    if cacheExpiry == .never { return stored }
    return .earlier(stored, cacheExpiry.resolved(by: clock))
  }

  /// Does to the cache what is left to do after the store failed; returns the error to throw.
  func settling(after failure: any Error, _ inCache: () throws -> Void) -> any Error {
    do {
      try inCache()
      return failure
    } catch {
      return StorageError.backendFailed.with(
        "the store failed, and the cache may hold an old value since it failed too: \(error)", cause: failure)
    }
  }
}
