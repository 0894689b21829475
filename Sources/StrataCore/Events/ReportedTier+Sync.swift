// Generated from ReportedTier+Async.swift by `make twins`.
extension ReportedTier: SyncStorageAware, SyncStorageLink where Base: SyncStorageAware {
  @inlinable
  package func read(_ key: Key, _ how: How) throws -> Entry<Value>? {
    guard how.isDisjoint(with: [.quietly, .expiryOnly]), let reporter = active else {
      return try base.read(key, how)
    }
    return try reported(by: reporter, "get", key) { start in
      guard let entry = try base.read(key, how) else {
        reporter.didRead(key, isHit: false, start)
        return nil
      }
      reporter.didRead(key, isHit: entry.isLive(by: clock), start)
      return entry
    }
  }

  @usableFromInline
  package func read(_ keys: [Key], _ how: How) throws -> [Key: Entry<Value>] {
    guard how.allowsBatch, let reporter = active else { return try base.read(keys, how) }
    let key = keys.count == 1 ? keys.first : nil
    return try reported(by: reporter, "get", key, keys.count) { start in
      let entries = try base.read(keys, how)
      let hits = entries.count { $0.value.isLive(by: clock) }
      reporter.didRead(key, hits: hits, misses: keys.count - hits, start)
      return entries
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
    try reported(by: reporter, effect.operation, key) { start in
      let isMade = try base.change(key, change, how)
      reporter.didChange(key, isMade ? effect : .nothing, start)
      return isMade
    }
  }

  @usableFromInline
  package func change(_ batch: StoreBatch<Key, Value>, _ how: How) throws {
    guard let reporter = active else { return try base.change(batch, how) }
    let (key, effect) = (batch.count == 1 ? batch.keys.first : nil, TierEffect(batch))
    try reported(by: reporter, effect.operation, key, batch.count) { start in
      try base.change(batch, how)
      reporter.didChange(key, effect, count: batch.count, start)
    }
  }

  @usableFromInline
  package func list(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<Key> {
    guard let reporter = active else { return try base.list(after: cursor, limit: limit) }
    return try reported(by: reporter, "list", nil, 0) { _ in
      let page = try base.list(after: cursor, limit: limit)
      reporter.didChange(nil, .nothing, .off)
      return page
    }
  }

  @usableFromInline
  package func clear(_ extent: StoreExtent) throws {
    guard let reporter = active else { return try base.clear(extent) }
    try reported(by: reporter, "clear", nil, 0) { start in
      try base.clear(extent)
      reporter.didChange(nil, extent == .everything ? .removal : .nothing, count: 0, start)
    }
  }

  /// Runs an operation, inside a span if the tier is remote, and reports its failure. The operation itself reports its
  /// success.
  @inlinable @inline(__always)
  func reported<R: Sendable>(
    by reporter: Reporter, _ name: @autoclosure () -> String, _ key: @autoclosure () -> Key?,
    _ count: Int = 1, _ operation: (Stopwatch) throws -> R
  ) throws -> R {
    let start = reporter.begin()
    do {
      return try operation(start)
    } catch {
      reporter.didFail(key(), count: count, error, start)
      throw error
    }
  }
}
