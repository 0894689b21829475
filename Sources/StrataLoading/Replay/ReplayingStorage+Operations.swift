public import StrataCore

extension ReplayingStorage {
  /// Returns the pending write, or the inner store's cached entry. Never blocks.
  public func peek(forKey key: Key) -> Entry<Value>? {
    if let waiting = waiting(key) { return waiting }
    return base.peek(forKey: key)
  }

  /// Returns the pending write, or the stored entry.
  public func read(_ key: Key, _ how: How) async throws -> Entry<Value>? {
    if let waiting = waiting(key) { return waiting }
    let below = how.subtracting(.inTurn)
    if !how.isDisjoint(with: [.quietly, .atOnce]) { return try await base.read(key, below) }
    return try await reading { try await base.read(key, below) }
  }

  /// Reads many keys.
  public func read(_ keys: [Key], _ how: How) async throws -> [Key: Entry<Value>] {
    var found: [Key: Entry<Value>] = [:]
    var rest: [Key] = []
    for key in keys {
      if let waiting = waiting(key) { found[key] = waiting } else { rest.append(key) }
    }
    if rest.isEmpty { return found }
    let below = how.subtracting(.inTurn)
    let stored =
      how.isDisjoint(with: [.quietly, .atOnce])
      ? try await reading { [rest] in try await base.read(rest, below) } : try await base.read(rest, below)
    return found.merging(stored) { waiting, _ in waiting }
  }

  /// Returns the keys of stored values and of pending writes.
  private func allKeys() async throws -> [Key] {
    // The store may list its keys before a pending write is executed, which is no longer pending afterwards.
    let before = queue.withLock { $0 }
    let stored = try await reading { try await base.keys() }
    return queue.withLock { now in
      if before.isEmpty, now.isEmpty { return stored }
      var keys = Set(stored)
      for queue in [before, now] {
        if queue.isClearing { keys = [] }
        for key in queue.keys {
          if queue.isListed(key, by: clock) == true { keys.insert(key) } else { keys.remove(key) }
        }
      }
      return Array(keys)
    }
  }

  /// Returns at most `limit` keys after a cursor: first the keys of pending writes, then the stored keys.
  public func list(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key> {
    if cursor == nil, limit == .max { return KeyPage(keys: try await allKeys(), next: nil) }
    var position = try cursor?.position(as: ReplayPosition<Key>.self) ?? ReplayPosition(waitingKeys())
    if !position.rest.isEmpty {
      let page = KeyPage(position.rest, limit: limit)
      position.rest = position.rest.dropFirst(page.keys.count)
      return KeyPage(keys: page.keys, next: KeyCursor(position))
    }
    let before = queue.withLock { $0 }
    let page = try await reading { [stored = position.stored] in
      try await base.list(after: stored, limit: limit)
    }
    position.stored = page.next
    let keys = queue.withLock { queue in
      page.keys.filter { key in
        if position.listed.contains(key) { return false }
        return queue.isListed(key, by: clock) ?? before.isListed(key, by: clock) ?? true
      }
    }
    return KeyPage(keys: keys, next: page.next == nil ? nil : KeyCursor(position))
  }

  private func waitingKeys() -> [Key] {
    queue.withLock { queue in queue.keys.filter { queue.isListed($0, by: clock) == true } }
  }

  /// Changes a key, now or when the store is available again.
  ///
  /// A conditional change is atomic like the inner store's while no write is pending. While any is, a key without a
  /// pending write counts as absent. Such a value is stored later only if the store has none by then: another machine's
  /// value stays. Whether a value is touched must be known: if it is not pending and the store is down, `touch` throws.
  public func change(_ key: Key, _ change: StoreChange<Value>, _ how: How) async throws -> Bool {
    if how.contains(.atOnce) { throw WouldWait() }
    let change = change.resolved(by: clock)
    if case .forget = change.kind { return try await base.change(key, change, []) }
    if case .touch(let expiry) = change.kind { return try await prolong(key, until: expiry) }
    var isMade = true
    try await make(.key(key)) {
      isMade = try await base.change(key, change, [])
    } orAdd: { queue in
      let write: Queue.Write
      switch change.kind {
      case .set(let expiry), .replace(let expiry): write = .set(change.object, expiry)
      case .setIfAbsent(let expiry):
        isMade = queue.isListed(key, by: clock) != true
        if !isMade { return ([], true) }
        write = .set(change.object, expiry, ifAbsent: queue.isUnknown(key))
      case .remove, .touch, .forget: write = .remove
      }
      return queue.add(write, forKey: key) ? ([key], true) : ([], false)
    }
    return isMade
  }

  private func prolong(_ key: Key, until expiry: Expiry) async throws -> Bool {
    try await order.withTurn(.key(key)) {
      let isTouched = queue.withLock { queue -> Bool? in
        guard let pending = queue.entry(of: key) else { return nil }
        guard let pending, pending.isLive(by: clock) else { return false }
        return queue.add(.set(pending.object, expiry, ifAbsent: queue.isUnknown(key)), forKey: key)
      }
      if let isTouched { return isTouched }
      return try await base.change(key, .touch(expiry), [])
    }
  }

  /// Changes many keys, now or when the store is available again.
  public func change(_ batch: StoreBatch<Key, Value>, _ how: How) async throws {
    if how.contains(.atOnce) { throw WouldWait() }
    let batch = batch.resolved(by: clock)
    let writes: [Key: Queue.Write] =
      switch batch {
      case .set(let objects, let expiry): objects.mapValues { .set($0, expiry) }
      case .setEntries(let entries): entries.mapValues { .set($0.object, $0.expiry) }
      case .remove(let keys): Dictionary(keys.map { ($0, .remove) }) { $1 }
      }
    try await make(TurnScope(writes.keys)) {
      try await base.change(batch, [])
    } orAdd: { queue in
      let added = writes.filter { queue.add($0.value, forKey: $0.key) }.keys
      return (Array(added), added.count == writes.count)
    }
  }

  /// Removes everything, now or when the store is available again, or what has expired.
  public func clear(_ extent: StoreExtent) async throws {
    if extent == .expired { return try await base.clear(extent) }
    try await make(.everything) {
      try await base.clear(extent)
    } orAdd: { queue in
      queue.removeAll()
      return ([nil], true)
    }
  }
}

extension ReplayingStorage: ConditionalStorage {}
