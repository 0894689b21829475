public import StrataCore

// sync: extension ZippedStorage: SyncStorageAware where A: SyncStorageAware, B: SyncStorageAware {
extension ZippedStorage {
  @usableFromInline  // sync: @inlinable
  package func read(_ key: Key, _ how: How) async throws -> Entry<Value>? {
    if how.contains(.quietly) { return peek(forKey: key) }
    // sync: if how.contains(.atOnce) {
    // sync:   return try changes.order.atOnce(key, reads: true) { try readParts(of: key, how) }
    // sync: }
    if how.contains(.atOnce) { return try peeked(key) }
    if how.isDisjoint(with: [.expiryOnly, .authoritative]), let pair = peek(forKey: key),
      pair.isLive(by: clock)
    {
      return pair
    }
    return try await changes.order.withTurn(.key(key), reads: true) { try await readParts(of: key, how) }
  }

  @usableFromInline  // sync: @inlinable
  func readParts(of key: Key, _ how: How) async throws -> Entry<Value>? {
    let parts = try await parts(of: key) {
      try await first.read(key, how)
    } and: {
      try await second.read(key, how)
    }
    guard let (one, two) = parts else { return nil }
    return how.contains(.expiryOnly) ? Entry(expiry: .earlier(one.expiry, two.expiry)) : pair(one, two)
  }

  @usableFromInline
  package func read(_ keys: [Key], _ how: How) async throws -> [Key: Entry<Value>] {
    if !how.allowsBatch { return try await readEach(keys, how) }
    return try await changes.order.withTurn(TurnScope(keys), reads: true) {
      let parts = try await parts {
        try await first.read(keys, how)
      } and: {
        try await second.read(keys, how)
      }
      guard let (one, two) = parts else { return [:] }
      return two.reduce(into: [:]) { pairs, next in
        pairs[next.key] = one[next.key].map { pair($0, next.value) }
      }
    }
  }

  @usableFromInline
  package func change(_ key: Key, _ change: StoreChange<Value>, _ how: How) async throws -> Bool {
    if how.contains(.atOnce) { throw WouldWait() }
    guard let change = try await unconditional(change.resolved(by: clock), forKey: key) else { return false }
    try await make(
      .key(key), restoring: change.hasObject ? [key] : nil, replaces: change.kind.isReplacement
    ) {
      try await first.change(key, first.keepingExpiry(change.map { $0.0 }, forKey: key), [])
    } and: {
      try await second.change(key, second.keepingExpiry(change.map { $0.1 }, forKey: key), [])
    }
    return true
  }

  @usableFromInline
  package func change(_ batch: StoreBatch<Key, Value>, _ how: How) async throws {
    if how.contains(.atOnce) { throw WouldWait() }
    let batch = batch.resolved(by: clock)
    var keys: [Key]? = batch.keys
    if case .remove = batch { keys = nil }
    try await make(TurnScope(batch.keys), restoring: keys) {
      try await first.change(batch.map { $1.0 }, [])
    } and: {
      try await second.change(batch.map { $1.1 }, [])
    }
  }

  /// Returns a page of the first store's keys, without the keys that the second store does not have.
  @usableFromInline
  package func list(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key> {
    if cursor == nil, limit == .max {
      let parts = try await parts {
        try await first.keys()
      } and: {
        Set(try await second.keys())
      }
      return KeyPage(keys: parts.map { $0.filter($1.contains) } ?? [], next: nil)
    }
    let page = try await first.list(after: cursor, limit: limit)
    let inSecond = try await second.stored(page.keys)
    return page.replacingKeys { $0.filter(inSecond.contains) }
  }

  @usableFromInline
  package func clear(_ extent: StoreExtent) async throws {
    try await make(extent == .expired ? nil : .everything) {
      try await first.clear(extent)
    } and: {
      try await second.clear(extent)
    }
  }

  /// Changes both stores in a turn, or without one.
  ///
  /// If keys must be restored and a change of one store fails, restores the previous entries of both: also a failed
  /// change may have changed some of them. Otherwise changes the second store even if the first fails, and both even if
  /// the task is cancelled.
  private func make(
    _ scope: TurnScope<Key>?, restoring keys: [Key]? = nil, replaces: Bool = false,
    _ changeFirst: @escaping @Sendable () async throws -> Void,
    and changeSecond: @escaping @Sendable () async throws -> Void
  ) async throws {
    guard let scope else { return try await both(changeFirst, and: changeSecond) }
    try await changes.order.withTurn(scope) {
      changes.begin()
      defer { changes.end() }
      guard let keys else { return try await both(changeFirst, and: changeSecond) }
      let before = await together {
        try await first.read(keys, [])
      } and: {
        try await second.read(keys, [])
      }
      // Without the previous entries, a cancelled task could restore nothing. Nothing is written yet.
      // sync: // Synchronous code is not cancelled.
      if Task.isCancelled { _ = (try before.0.get(), try before.1?.get()) }
      let (one, two) = await together(stopping: true, changeFirst, and: changeSecond)
      guard let error = pairFailure(one.failure, two?.failure) else { return }
      let unrestored = (
        await put(before.0, back: keys, in: first, replaces),
        two == nil ? nil : await put(before.1, back: keys, in: second, replaces)
      )
      throw failure(error, (one.failure, two?.failure), unrestored, keys)
    }
  }

  private func both(
    _ one: @escaping @Sendable () async throws -> Void, and other: @escaping @Sendable () async throws -> Void
  ) async throws {
    let (one, two) = await together({ try await finishing(one) }, and: { try await finishing(other) })
    if let error = pairFailure(one.failure, two?.failure) { throw error }
  }

  /// Restores the entries that a store had before a change. After a change that `replaces` values, each tier keeps its
  /// own expiry. Returns the error of a failure, `nil` after a success.
  private func put<Part: StorageAware>(
    _ before: Result<[Key: Entry<Part.Value>], any Error>?, back keys: [Key], in store: Part, _ replaces: Bool
  ) async -> (any Error)? where Part.Key == Key {
    do {
      let before = try before?.get() ?? [:]
      try await changes.order.regardless {
        for key in keys {
          let old: StoreChange<Part.Value>? = before[key].map {
            replaces ? .replace($0.object, $0.expiry) : .set($0.object, $0.expiry)
          }
          try await store.change(key, old ?? .remove, [])
        }
      }
      return nil
    } catch {
      return error
    }
  }
}
