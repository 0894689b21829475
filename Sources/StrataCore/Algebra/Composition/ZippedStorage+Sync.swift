// Generated from ZippedStorage+Async.swift by `make twins`.
extension ZippedStorage: SyncStorageAware where A: SyncStorageAware, B: SyncStorageAware {
  @inlinable
  package func read(_ key: Key, _ how: How) throws -> Entry<Value>? {
    if how.contains(.quietly) { return peek(forKey: key) }
    if how.contains(.atOnce) { return try changes.order.atOnce(key) { try readParts(of: key, how) } }
    if !how.contains(.expiryOnly), let pair = peek(forKey: key), !pair.expiry.isExpired(by: clock) {
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
    if !how.isDisjoint(with: [.quietly, .atOnce, .expiryOnly]) { return try readEach(keys, how) }
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
    if !change.hasObject {
      try changes.make(.key(key)) {
        try both {
          _ = try first.change(key, change.map { $0.0 }, how)
        } and: {
          _ = try second.change(key, change.map { $0.1 }, how)
        }
      }
      return true
    }
    try write(.key(key), [key], restore: change.kind.isReplacement ? .replacing : .setting) {
      _ = try first.change(key, first.keepingExpiry(change.map { $0.0 }, forKey: key), [])
    } and: {
      _ = try second.change(key, second.keepingExpiry(change.map { $0.1 }, forKey: key), [])
    }
    return true
  }

  @usableFromInline
  package func change(_ batch: StoreBatch<Key, Value>, _ how: How) throws {
    if how.contains(.atOnce) { throw WouldWait() }
    if case .remove(let keys) = batch {
      return try changes.make(TurnScope(keys)) {
        try both {
          try first.change(.remove(keys), [])
        } and: {
          try second.change(.remove(keys), [])
        }
      }
    }
    let batch = batch.resolved(by: clock)
    try write(TurnScope(batch.keys), batch.keys) {
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
    let clearBoth = {
      try both {
        try first.clear(extent)
      } and: {
        try second.clear(extent)
      }
    }
    if extent == .expired { return try clearBoth() }
    try changes.make(.everything, clearBoth)
  }
}
