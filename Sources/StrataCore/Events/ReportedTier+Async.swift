// sync: extension ReportedTier: SyncStorageAware, SyncStorageLink where Base: SyncStorageAware {
extension ReportedTier {
  @usableFromInline  // sync: @inlinable
  package func read(_ key: Key, _ how: How) async throws -> Entry<Value>? {
    guard how.isDisjoint(with: [.quietly, .expiryOnly]), let reporter = active else {
      return try await base.read(key, how)
    }
    return try await reported(by: reporter, "get", key) { start in
      guard let entry = try await base.read(key, how) else {
        reporter.didRead(key, isHit: false, start)
        return nil
      }
      reporter.didRead(key, isHit: entry.isLive(by: clock), start)
      return entry
    }
  }

  @usableFromInline
  package func read(_ keys: [Key], _ how: How) async throws -> [Key: Entry<Value>] {
    guard how.allowsBatch, let reporter = active else { return try await base.read(keys, how) }
    let key = keys.count == 1 ? keys.first : nil
    return try await reported(by: reporter, "get", key, keys.count) { start in
      let entries = try await base.read(keys, how)
      let hits = entries.count { $0.value.isLive(by: clock) }
      reporter.didRead(key, hits: hits, misses: keys.count - hits, start)
      return entries
    }
  }

  @usableFromInline  // sync: @inlinable
  @discardableResult
  package func change(_ key: Key, _ change: StoreChange<Value>, _ how: How) async throws -> Bool {
    guard let reporter = active else { return try await base.change(key, change, how) }
    return try await self.change(key, change, how, TierEffect(change.kind), reporter)
  }

  /// Stores a value that was read from a tier behind.
  @usableFromInline  // sync: @inlinable
  func promote(_ key: Key, _ change: StoreChange<Value>) async throws {
    guard let reporter else { return _ = try await base.change(key, change, []) }
    _ = try await self.change(key, change, [], .promotion, .passUnretained(reporter))
  }

  @usableFromInline  // sync: @inlinable
  func change(
    _ key: Key, _ change: StoreChange<Value>, _ how: How, _ effect: TierEffect,
    _ reporter: Reporter
  ) async throws -> Bool {
    try await reported(by: reporter, effect.operation, key) { start in
      let isMade = try await base.change(key, change, how)
      reporter.didChange(key, isMade ? effect : .nothing, start)
      return isMade
    }
  }

  @usableFromInline
  package func change(_ batch: StoreBatch<Key, Value>, _ how: How) async throws {
    guard let reporter = active else { return try await base.change(batch, how) }
    let (key, effect) = (batch.count == 1 ? batch.keys.first : nil, TierEffect(batch))
    try await reported(by: reporter, effect.operation, key, batch.count) { start in
      try await base.change(batch, how)
      reporter.didChange(key, effect, count: batch.count, start)
    }
  }

  @usableFromInline
  package func list(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key> {
    guard let reporter = active else { return try await base.list(after: cursor, limit: limit) }
    return try await reported(by: reporter, "list", nil, 0) { _ in
      let page = try await base.list(after: cursor, limit: limit)
      reporter.didChange(nil, .nothing, .off)
      return page
    }
  }

  @usableFromInline
  package func clear(_ extent: StoreExtent) async throws {
    guard let reporter = active else { return try await base.clear(extent) }
    try await reported(by: reporter, "clear", nil, 0) { start in
      try await base.clear(extent)
      reporter.didChange(nil, extent == .everything ? .removal : .nothing, count: 0, start)
    }
  }

  /// Runs an operation, inside a span if the tier is remote, and reports its failure. The operation itself reports its
  /// success.
  @inline(__always)  // sync: @inlinable @inline(__always)
  func reported<R: Sendable>(
    by reporter: Reporter, _ name: @autoclosure () -> String, _ key: @autoclosure () -> Key?,
    _ count: Int = 1, _ operation: (Stopwatch) async throws -> R
  ) async throws -> R {
    let start = reporter.begin()
    do {
      // sync: return try operation(start)
      return try await traced(name(), count) { try await operation(start) }
    } catch {
      reporter.didFail(key(), count: count, error, start)
      throw error
    }
  }
}
