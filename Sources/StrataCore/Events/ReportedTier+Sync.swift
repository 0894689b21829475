// Generated from ReportedTier+Async.swift by `make twins`.
extension ReportedTier: SyncStorageAware, SyncStorageLink where Base: SyncStorageAware {
  @inlinable
  package func read(_ key: Key, _ how: How) throws -> Entry<Value>? {
    guard how.isDisjoint(with: [.quietly, .expiryOnly]), let reporter = active else {
      return try base.read(key, how)
    }
    let start = reporter.begin()
    do {
      let entry = try base.read(key, how)
      let isHit = isLive(entry)
      reporter.didRead(key, hits: isHit ? 1 : 0, misses: isHit ? 0 : 1, start)
      return entry
    } catch {
      reporter.didFail(key, error, start)
      throw error
    }
  }

  @usableFromInline
  package func read(_ keys: [Key], _ how: How) throws -> [Key: Entry<Value>] {
    guard how.allowsBatch, let reporter = active else { return try base.read(keys, how) }
    let start = reporter.begin()
    do {
      let entries = try base.read(keys, how)
      let hits = entries.count { isLive($0.value) }
      reporter.didRead(keys.count == 1 ? keys.first : nil, hits: hits, misses: keys.count - hits, start)
      return entries
    } catch {
      reporter.didFail(keys.count == 1 ? keys.first : nil, count: keys.count, error, start)
      throw error
    }
  }

  @inlinable
  @discardableResult
  package func change(_ key: Key, _ change: StoreChange<Value>, _ how: How) throws -> Bool {
    guard let reporter = active else { return try base.change(key, change, how) }
    return try self.change(key, change, how, TierEffect(change.kind), reporter)
  }

  /// Stores a value that was read from a tier behind.
  @inlinable
  func promote(_ key: Key, _ change: StoreChange<Value>) throws {
    guard let reporter else { return _ = try base.change(key, change, []) }
    _ = try self.change(key, change, [], .promotion, .passUnretained(reporter))
  }

  @inlinable
  func change(
    _ key: Key, _ change: StoreChange<Value>, _ how: How, _ effect: TierEffect,
    _ reporter: Reporter
  ) throws -> Bool {
    let start = reporter.begin()
    do {
      let isMade = try base.change(key, change, how)
      reporter.didChange(key, isMade ? effect : .nothing, start)
      return isMade
    } catch {
      reporter.didFail(key, error, start)
      throw error
    }
  }

  @usableFromInline
  package func change(_ batch: StoreBatch<Key, Value>, _ how: How) throws {
    guard let reporter = active else { return try base.change(batch, how) }
    let start = reporter.begin()
    do {
      try base.change(batch, how)
      reporter.didChange(
        batch.count == 1 ? batch.keys.first : nil, TierEffect(batch), count: batch.count, start)
    } catch {
      reporter.didFail(batch.count == 1 ? batch.keys.first : nil, count: batch.count, error, start)
      throw error
    }
  }

  @usableFromInline
  package func list(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<Key> {
    guard let reporter = active else { return try base.list(after: cursor, limit: limit) }
    let start = reporter.begin()
    do {
      let page = try base.list(after: cursor, limit: limit)
      reporter.didChange(nil, .nothing, .off)
      return page
    } catch {
      reporter.didFail(nil, count: 0, error, start)
      throw error
    }
  }

  @usableFromInline
  package func clear(_ extent: StoreExtent) throws {
    guard let reporter = active else { return try base.clear(extent) }
    let start = reporter.begin()
    do {
      try base.clear(extent)
      reporter.didChange(nil, extent == .everything ? .removal : .nothing, count: 0, start)
    } catch {
      reporter.didFail(nil, count: 0, error, start)
      throw error
    }
  }
}
