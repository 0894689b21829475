// sync: extension ReportedTier: SyncStorageAware, SyncStorageLink where Base: SyncStorageAware {
extension ReportedTier {
  @usableFromInline  // sync: @inlinable
  package func read(_ key: Key, _ how: How) async throws -> Entry<Value>? {
    guard how.isDisjoint(with: [.quietly, .expiryOnly]), let reporter = active else {
      return try await base.read(key, how)
    }
    let start = reporter.begin()
    do {
      // sync: let entry = try base.read(key, how)
      let entry = try await traced("get") { try await base.read(key, how) }
      let isHit = isLive(entry)
      reporter.didRead(key, hits: isHit ? 1 : 0, misses: isHit ? 0 : 1, start)
      return entry
    } catch {
      reporter.didFail(key, error, start)
      throw error
    }
  }

  @usableFromInline
  package func read(_ keys: [Key], _ how: How) async throws -> [Key: Entry<Value>] {
    guard how.allowsBatch, let reporter = active else { return try await base.read(keys, how) }
    let start = reporter.begin()
    do {
      // sync: let entries = try base.read(keys, how)
      let entries = try await traced("get", keys.count) { try await base.read(keys, how) }
      let hits = entries.count { isLive($0.value) }
      reporter.didRead(keys.count == 1 ? keys.first : nil, hits: hits, misses: keys.count - hits, start)
      return entries
    } catch {
      reporter.didFail(keys.count == 1 ? keys.first : nil, count: keys.count, error, start)
      throw error
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
    let start = reporter.begin()
    do {
      // sync: let isMade = try base.change(key, change, how)
      let isMade = try await traced(effect.operation) { try await base.change(key, change, how) }
      reporter.didChange(key, isMade ? effect : .nothing, start)
      return isMade
    } catch {
      reporter.didFail(key, error, start)
      throw error
    }
  }

  @usableFromInline
  package func change(_ batch: StoreBatch<Key, Value>, _ how: How) async throws {
    guard let reporter = active else { return try await base.change(batch, how) }
    let start = reporter.begin()
    do {
      // sync: try base.change(batch, how)
      try await traced(TierEffect(batch).operation, batch.count) { try await base.change(batch, how) }
      reporter.didChange(
        batch.count == 1 ? batch.keys.first : nil, TierEffect(batch), count: batch.count, start)
    } catch {
      reporter.didFail(batch.count == 1 ? batch.keys.first : nil, count: batch.count, error, start)
      throw error
    }
  }

  @usableFromInline
  package func list(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key> {
    guard let reporter = active else { return try await base.list(after: cursor, limit: limit) }
    let start = reporter.begin()
    do {
      // sync: let page = try base.list(after: cursor, limit: limit)
      let page = try await traced("list", 0) { try await base.list(after: cursor, limit: limit) }
      reporter.didChange(nil, .nothing, .off)
      return page
    } catch {
      reporter.didFail(nil, count: 0, error, start)
      throw error
    }
  }

  @usableFromInline
  package func clear(_ extent: StoreExtent) async throws {
    guard let reporter = active else { return try await base.clear(extent) }
    let start = reporter.begin()
    do {
      // sync: try base.clear(extent)
      try await traced("clear", 0) { try await base.clear(extent) }
      reporter.didChange(nil, extent == .everything ? .removal : .nothing, count: 0, start)
    } catch {
      reporter.didFail(nil, count: 0, error, start)
      throw error
    }
  }
}
