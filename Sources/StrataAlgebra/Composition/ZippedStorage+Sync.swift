// Generated from ZippedStorage+Async.swift by `make twins`.
public import StrataCore

extension ZippedStorage: SyncStorageAware where A: SyncStorageAware, B: SyncStorageAware {
  @inlinable
  package func read(_ key: Key, _ how: How) throws -> Entry<Value>? {
    if how.contains(.quietly) { return peek(forKey: key) }
    if how.contains(.atOnce) {
      return try changes.order.atOnce(key, reads: true) { try readParts(of: key, how) }
    }
    if how.isDisjoint(with: [.expiryOnly, .authoritative]), let pair = peek(forKey: key),
      pair.isLive(by: clock)
    {
      return pair
    }
    return try changes.order.withTurn(.key(key), reads: true) { try readParts(of: key, how) }
  }

  @inlinable
  func readParts(of key: Key, _ how: How) throws -> Entry<Value>? {
    let parts = try parts(of: key) {
      try first.read(key, how)
    } and: {
      try second.read(key, how)
    }
    guard let (one, two) = parts else { return nil }
    return how.contains(.expiryOnly) ? Entry(expiry: .earlier(one.expiry, two.expiry)) : pair(one, two)
  }

  @usableFromInline
  package func read(_ keys: [Key], _ how: How) throws -> [Key: Entry<Value>] {
    if !how.allowsBatch { return try readEach(keys, how) }
    return try changes.order.withTurn(TurnScope(keys), reads: true) {
      let parts = try parts {
        try first.read(keys, how)
      } and: {
        try second.read(keys, how)
      }
      guard let (one, two) = parts else { return [:] }
      return two.reduce(into: [:]) { pairs, next in
        pairs[next.key] = one[next.key].map { pair($0, next.value) }
      }
    }
  }

  @usableFromInline
  package func change(_ key: Key, _ change: StoreChange<Value>, _ how: How) throws -> Bool {
    if how.contains(.atOnce) { throw WouldWait() }
    guard let change = try unconditional(change.resolved(by: clock), forKey: key) else { return false }
    try make(
      .key(key), restoring: change.hasObject ? [key] : nil, replaces: change.kind.isReplacement
    ) {
      try first.change(key, first.keepingExpiry(change.map { $0.0 }, forKey: key), [])
    } and: {
      try second.change(key, second.keepingExpiry(change.map { $0.1 }, forKey: key), [])
    }
    return true
  }

  @usableFromInline
  package func change(_ batch: StoreBatch<Key, Value>, _ how: How) throws {
    if how.contains(.atOnce) { throw WouldWait() }
    let batch = batch.resolved(by: clock)
    var keys: [Key]? = batch.keys
    if case .remove = batch { keys = nil }
    try make(TurnScope(batch.keys), restoring: keys) {
      try first.change(batch.map { $1.0 }, [])
    } and: {
      try second.change(batch.map { $1.1 }, [])
    }
  }

  /// Returns a page of the first store's keys, without the keys that the second store does not have.
  @usableFromInline
  package func list(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<Key> {
    if cursor == nil, limit == .max {
      let parts = try parts {
        try first.keys()
      } and: {
        Set(try second.keys())
      }
      return KeyPage(keys: parts.map { $0.filter($1.contains) } ?? [], next: nil)
    }
    let page = try first.list(after: cursor, limit: limit)
    let inSecond = try second.stored(page.keys)
    return page.replacingKeys { $0.filter(inSecond.contains) }
  }

  @usableFromInline
  package func clear(_ extent: StoreExtent) throws {
    try make(extent == .expired ? nil : .everything) {
      try first.clear(extent)
    } and: {
      try second.clear(extent)
    }
  }

  /// Changes both stores in a turn, or without one.
  ///
  /// If keys must be restored and a change of one store fails, restores the previous entries of both: also a failed
  /// change may have changed some of them. Otherwise changes the second store even if the first fails, and both even if
  /// the task is cancelled.
  private func make(
    _ scope: TurnScope<Key>?, restoring keys: [Key]? = nil, replaces: Bool = false,
    _ changeFirst: @escaping @Sendable () throws -> Void,
    and changeSecond: @escaping @Sendable () throws -> Void
  ) throws {
    guard let scope else { return try both(changeFirst, and: changeSecond) }
    try changes.order.withTurn(scope) {
      changes.begin()
      defer { changes.end() }
      guard let keys else { return try both(changeFirst, and: changeSecond) }
      let before = together {
        try first.read(keys, [])
      } and: {
        try second.read(keys, [])
      }
      // Without the previous entries, a cancelled task could restore nothing. Nothing is written yet.
      // Synchronous code is not cancelled.
      let (one, two) = together(stopping: true, changeFirst, and: changeSecond)
      guard let error = pairFailure(one.failure, two?.failure) else { return }
      let unrestored = (
        put(before.0, back: keys, in: first, replaces),
        two == nil ? nil : put(before.1, back: keys, in: second, replaces)
      )
      throw failure(error, (one.failure, two?.failure), unrestored, keys)
    }
  }

  private func both(
    _ one: @escaping @Sendable () throws -> Void, and other: @escaping @Sendable () throws -> Void
  ) throws {
    let (one, two) = together({ try finishing(one) }, and: { try finishing(other) })
    if let error = pairFailure(one.failure, two?.failure) { throw error }
  }

  /// Restores the entries that a store had before a change. After a change that `replaces` values, each tier keeps its
  /// own expiry. Returns the error of a failure, `nil` after a success.
  private func put<Part: SyncStorageAware>(
    _ before: Result<[Key: Entry<Part.Value>], any Error>?, back keys: [Key], in store: Part, _ replaces: Bool
  ) -> (any Error)? where Part.Key == Key {
    do {
      let before = try before?.get() ?? [:]
      try changes.order.regardless {
        for key in keys {
          let old: StoreChange<Part.Value>? = before[key].map {
            replaces ? .replace($0.object, $0.expiry) : .set($0.object, $0.expiry)
          }
          try store.change(key, old ?? .remove, [])
        }
      }
      return nil
    } catch {
      return error
    }
  }
}
