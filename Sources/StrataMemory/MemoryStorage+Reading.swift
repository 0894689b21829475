public import StrataDelegate

extension MemoryStorage {
  /// Returns an entry, even an expired one. Counts as a use of the entry, but not as a miss if there is none: the read
  /// that follows a `peek` counts the miss.
  @inlinable
  public func peek(forKey key: Key) -> Entry<Value>? { entry(key, misses: 0) }

  /// Returns the result of `body` for an entry, even an expired one, without copying it. Counts as a use of the entry
  /// unless the result is `nil`. `body` must not use this storage: the shard is locked meanwhile.
  @inlinable
  @inline(__always)
  public func _withCachedObject<R: Sendable>(forKey key: Key, _ body: (UnsafePointer<Value>, Expiry) -> R?)
    -> R?
  {
    let hash = Self.hash(key)
    return shards.shard(hash).pointee.table.withLock { table in
      guard let found = table.entry(of: key, hash: hash) else { return nil }
      let expiry = table.expiry(of: found)
      table.useDecoded(found.node)
      let result = withUnsafePointer(to: &found.node.pointee.value) { body($0, expiry) }
      guard let result else { return nil }
      table.countUse(&found.node.pointee.state, isHit: true)
      if config.idleTime != nil { _ = table.use(found.index, clock: config.clock) }
      return result
    }
  }

  /// Returns an entry, even an expired one, or `nil` if there is none. Counts as a use of the entry, unless only the
  /// expiry is wanted. Never waits for anything but the lock of the key's shard.
  @inlinable
  public func read(_ key: Key, _ how: How) throws -> Entry<Value>? {
    if how.contains(.expiryOnly) { return expiry(of: key).map { Entry(expiry: $0) } }
    return entry(key, misses: how.contains(.quietly) ? 0 : 1)
  }

  @inlinable
  @inline(__always)
  func entry(_ key: Key, misses: Int) -> Entry<Value>? {
    let hash = Self.hash(key)
    return shards.shard(hash).pointee.table.withLock { table in
      guard let hit = table.hit(key, hash: hash, clock: config.clock, misses: misses) else { return nil }
      return Entry(object: hit.node.pointee.value, expiry: hit.expiry)
    }
  }

  /// Returns a value, or `nil` if it is missing or expired. Counts as a use of the entry.
  @inlinable
  @inline(__always)  // As a call of its own, a hit takes 8 % more instructions.
  public func objectIfPresent(forKey key: Key) throws -> Value? {
    let hash = Self.hash(key)
    return shards.shard(hash).pointee.table.withLock { table in
      guard let hit = table.hit(key, hash: hash, clock: config.clock, misses: 1), hit.isValid else {
        return nil
      }
      return hit.node.pointee.value
    }
  }

  /// Returns a value; throws `.notFound` if it is missing or expired. Counts as a use of the entry.
  @inlinable
  public func object(forKey key: Key) throws -> Value {
    guard let object = try objectIfPresent(forKey: key) else {
      throw StorageError.notFound.with(key: key)
    }
    return object
  }

  @usableFromInline
  func expiry(of key: Key) -> Expiry? {
    let hash = Self.hash(key)
    return shards.shard(hash).pointee.table.withLock { table in
      table.index(of: key, hash: hash).map { table.expiry(of: $0) }
    }
  }

  /// Returns at most `limit` keys after a cursor. The cursor keeps the other keys of one shard, as they were at one
  /// moment. All keys at once are a snapshot of one moment: O(n), with all shards locked.
  public func list(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<Key> {
    if cursor == nil, limit == .max { return KeyPage(keys: allKeysAtOnce(), next: nil) }
    var position = try cursor?.position(as: ShardPosition<Key>.self) ?? ShardPosition()
    var keys: [Key] = []
    while keys.count < max(1, limit) {
      if position.rest.isEmpty {
        if position.nextShard == shards.count { return KeyPage(keys: keys, next: nil) }
        position.rest = self.keys(inShard: position.nextShard)[...]
        position.nextShard += 1
      }
      let part = position.rest.prefix(max(1, limit) - keys.count)
      keys += part
      position.rest = position.rest.dropFirst(part.count)
    }
    return KeyPage(keys: keys, next: KeyCursor(position))
  }

  private func allKeysAtOnce() -> [Key] {
    var keys: [Key] = []
    shards.withAllTables { $0.addKeys(to: &keys, clock) }
    return keys
  }

  private func keys(inShard number: Int) -> [Key] {
    var keys: [Key] = []
    shards.shard(number: number).pointee.table.withLock { $0.addKeys(to: &keys, clock) }
    return keys
  }
}

/// A position in the keys of a memory storage.
private struct ShardPosition<Key: Sendable>: Sendable {
  var rest: ArraySlice<Key> = []
  var nextShard = 0
}

extension MemoryTable {
  fileprivate func addKeys(to keys: inout [Key], _ clock: StorageClock) {
    keys.reserveCapacity(keys.count + count)
    forEachIndex { index in
      if !expiry(of: index).isExpired(by: clock) { keys.append(self[index].pointee.key) }
    }
  }

  /// Looks up an entry, and counts a use and a hit, or `misses` misses if it is missing or expired.
  @inlinable
  @inline(__always)
  mutating func hit(
    _ key: Key, hash: UInt32, clock: StorageClock, misses: Int = 0
  ) -> (node: UnsafeMutablePointer<Node>, expiry: Expiry, isValid: Bool)? {
    let segment = segment(hash)
    guard let place = find(key, hash: hash, in: segment) else {
      self.misses &+= misses
      return nil
    }
    let state = segment.nodes.state(at: place)
    var (expiry, isValid) = (Expiry.never, true)
    if state.pointee.isTimed { (expiry, isValid) = use(segment.index(place), clock: clock) }
    countUse(&state.pointee, isHit: isValid)
    useDecoded(segment.nodes + place)
    if !isValid { self.misses &+= misses }
    return (segment.nodes + place, expiry, isValid)
  }

  /// Counts a use of an entry, and a hit if the entry is valid.
  @inlinable
  @inline(__always)
  mutating func countUse(_ state: inout EvictionState, isHit: Bool) {
    policy.hit(&state)
    if isHit { hits &+= 1 }
  }
}
