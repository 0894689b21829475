// sync: extension ZippedStorage: SyncStorageAware where A: SyncStorageAware, B: SyncStorageAware {
extension ZippedStorage {
  @usableFromInline  // sync: @inlinable
  package func read(_ key: Key, _ how: How) async throws -> Entry<Value>? {
    if how.contains(.quietly) { return peek(forKey: key) }
    // sync: if how.contains(.atOnce) { return try changes.order.atOnce(key) { try readParts(of: key, how) } }
    if how.contains(.atOnce) { return try peeked(key) }
    if !how.contains(.expiryOnly), let pair = peek(forKey: key), !pair.expiry.isExpired(by: clock) {
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
    if !how.isDisjoint(with: [.quietly, .atOnce, .expiryOnly]) { return try await readEach(keys, how) }
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
    if !change.hasObject {
      try await changes.make(.key(key)) {
        try await both {
          _ = try await first.change(key, change.map { $0.0 }, how)
        } and: {
          _ = try await second.change(key, change.map { $0.1 }, how)
        }
      }
      return true
    }
    try await write(.key(key), [key], restore: change.kind.isReplacement ? .replacing : .setting) {
      _ = try await first.change(key, first.keepingExpiry(change.map { $0.0 }, forKey: key), [])
    } and: {
      _ = try await second.change(key, second.keepingExpiry(change.map { $0.1 }, forKey: key), [])
    }
    return true
  }

  @usableFromInline
  package func change(_ batch: StoreBatch<Key, Value>, _ how: How) async throws {
    if how.contains(.atOnce) { throw WouldWait() }
    if case .remove(let keys) = batch {
      return try await changes.make(TurnScope(keys)) {
        try await both {
          try await first.change(.remove(keys), [])
        } and: {
          try await second.change(.remove(keys), [])
        }
      }
    }
    let batch = batch.resolved(by: clock)
    try await write(TurnScope(batch.keys), batch.keys) {
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
    let clearBoth = {
      try await both {
        try await first.clear(extent)
      } and: {
        try await second.clear(extent)
      }
    }
    if extent == .expired { return try await clearBoth() }
    try await changes.make(.everything, clearBoth)
  }
}
