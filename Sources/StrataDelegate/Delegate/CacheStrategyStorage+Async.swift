public import StrataAlgebra

// sync: extension CacheStrategyStorage: SyncStorageAware where Base: SyncStorageAware {
extension CacheStrategyStorage {
  /// Returns the entry of the cache or of the store. With `cacheOnFailure`, the store's result is cached: a read at
  /// once would have to wait, unless it is of the expiry only, which is not cached.
  @usableFromInline  // sync: @inlinable
  package func read(_ key: Key, _ how: How) async throws -> Entry<Value>? {
    if how.contains(.quietly) { return peek(forKey: key) }
    let how = how.subtracting(.inTurn)
    switch strategy {
    case .noCache: return try await base.read(key, how)
    case .cache:
      let cached = try cached(key, how)
      if cached.isLive(by: clock) { return cached }
      return try await base.read(key, how) ?? cached
    case .cacheOnFailure:
      let read = try start(key, how)
      let found: Entry<Value>?
      do { found = try await base.read(key, how) } catch { return try fallback(key, read, after: error) }
      if let read { try learn(found, of: key, from: read) }
      return found
    }
  }

  @usableFromInline
  package func read(_ keys: [Key], _ how: How) async throws -> [Key: Entry<Value>] {
    if !how.isSubset(of: .inTurn) { return try await readEach(keys, how) }
    if strategy == .noCache { return try await base.read(keys, []) }
    let cached = try strategy == .cache ? cached(keys) : [:]
    let missing = cached.isEmpty ? keys : keys.filter { !cached[$0].isLive(by: clock) }
    if missing.isEmpty { return cached }
    let read = strategy == .cacheOnFailure ? reads.start(keys) : nil
    let found: [Key: Entry<Value>]
    do { found = try await base.read(missing, []) } catch { return try fallback(keys, read, after: error) }
    if let read { try learn(found, from: read) }
    return cached.isEmpty ? found : cached.merging(found) { $1 }
  }

  /// Returns a page of the keys of the entries that reads would return. A failure on a later page than the first is
  /// thrown: the keys of the cache would repeat keys of earlier pages.
  @usableFromInline
  package func list(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key> {
    let position = try ChainedPosition(cursor)
    switch position {
    case .first(let cursor):
      do {
        return try await page(after: cursor, base.list(after: cursor, limit: limit), limit: limit)
      } catch { return try fallbackPage(after: cursor, limit: limit, error) }
    case .second(let cursor):
      let page = try cachePage(after: cursor, limit: limit)
      let inBase = strategy == .cache ? try await base.stored(page.keys) : []
      return position.page(page.replacingKeys { $0.filter { !inBase.contains($0) } })
    }
  }

  @usableFromInline
  package func change(_ key: Key, _ change: StoreChange<Value>, _ how: How) async throws -> Bool {
    if strategy == .noCache { return try await base.change(key, change, how.subtracting(.inTurn)) }
    if how.contains(.atOnce) { throw WouldWait() }
    let change = change.resolved(by: clock)
    return try await settling(.key(key), edit(key, change)) {
      if !change.kind.isReplacement { return try await base.change(key, change, []) }
      return try await base.change(key, base.keepingExpiry(change, forKey: key), [])
    }
  }

  @usableFromInline
  package func change(_ batch: StoreBatch<Key, Value>, _ how: How) async throws {
    if strategy == .noCache { return try await base.change(batch, how.subtracting(.inTurn)) }
    if how.contains(.atOnce) { throw WouldWait() }
    let batch = batch.resolved(by: clock)
    try await settling(TurnScope(batch.keys), edit(batch)) { try await made(base.change(batch, [])) }
  }

  @usableFromInline
  package func clear(_ extent: StoreExtent) async throws {
    if strategy == .noCache { return try await base.clear(extent) }
    if extent == .expired {
      do { try await base.clear(extent) } catch { throw settling(after: error, sweepCache) }
      return try sweepCache()
    }
    try await settling(.everything, .remove) { try await made(base.clear(extent)) }
  }

  /// Changes the store and the cache, in the strategy's order. The cache is settled even if the store fails.
  @discardableResult
  private func settling(
    _ scope: TurnScope<Key>, _ edit: CacheEdit<Key, Value>, _ inStore: () async throws -> Bool
  ) async throws -> Bool {
    try await changes.withTurn(scope) {
      try begin(edit)
      let isMade: Bool
      do { isMade = try await inStore() } catch { throw settled(scope, edit, after: error) }
      try await settle(scope, edit, isMade: isMade, isMade ? expiriesInStore(after: edit) : nil)
      return isMade
    }
  }

  /// Returns the expiries in the cache of saved values, or `nil` if the edit has them.
  ///
  /// If the store fails to return an expiry, the save has still succeeded: the value then keeps the edit's. A value
  /// that the store no longer has, has none, and must not be cached.
  private func expiriesInStore(after edit: CacheEdit<Key, Value>) async -> [Key: Expiry]? {
    guard case .save(.set(let objects, let known), isFinal: false, _) = edit else { return nil }
    var found: [Key: Expiry] = [:]
    for key in objects.keys {
      do {
        found[key] = try await finishing { try await base.read(key, .expiryOnly)?.expiry }.map(lifetime)
      } catch {
        found[key] = known
      }
    }
    return found
  }
}
