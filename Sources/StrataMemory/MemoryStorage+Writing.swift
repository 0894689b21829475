public import StrataDelegate
public import Synchronization

extension MemoryStorage {
  /// Stores a value, evicting less useful entries if a limit would be exceeded.
  @inlinable
  public func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    try refuseInsideUpdate(of: key)
    if expiry == nil, isPlain, !budget.isFull, overwrite(object, forKey: key) { return }
    put(object, forKey: key, expiry: expiry)
  }

  /// Changes a key, and returns whether it was changed. A conditional change is atomic. Never waits, except for a
  /// conditional change whose key is being updated.
  @inlinable
  public func change(_ key: Key, _ change: StoreChange<Value>, _ how: How) throws -> Bool {
    switch change.kind {
    case .set(let expiry), .replace(let expiry): try setObject(change.object, forKey: key, expiry: expiry)
    case .setIfAbsent(let expiry): return try putIfAbsent(change.object, forKey: key, expiry: expiry)
    case .touch(let expiry): return try setExpiry(expiry, ofKey: key)
    case .remove, .forget: try removeObject(forKey: key)
    }
    return true
  }

  /// Replaces the value of a key where nothing expires and no cost is limited. Returns whether the key had a value.
  ///
  /// The fast path of `put`, with half as many instructions. With more of them, the processor cannot prefetch for the
  /// next operation while it waits for memory in this one. For a new entry the failed attempt costs a tenth more, so a
  /// full storage, where most writes are of new entries, skips it.
  @inlinable
  func overwrite(_ value: Value, forKey key: Key) -> Bool {
    guard !isTimed.load(ordering: .relaxed) else { return false }
    let hash = Self.hash(key)
    // Released outside the lock, since its deinit is user code.
    let old: Value? = shards.shard(hash).pointee.table.withLock { table in
      guard table.watched.isEmpty, let found = table.entry(of: key, hash: hash),
        !found.node.pointee.state.isTimed
      else { return nil }
      table.replacements &+= 1
      return table.replace(found, with: value, cost: 0)
    }
    guard let old else { return false }
    onRemoval?(Removal(key: key, value: old, reason: .replaced))
    return true
  }

  @usableFromInline
  enum Outcome: Sendable {
    case stored
    /// This or another thread has made room; there may be enough now.
    case again
    /// Another shard must make room.
    case needsRoom(MemoryRemovalReason)
    /// Another caller has changed the key since the watch began.
    case outdated
  }

  /// Stores a value, after as many evictions as it takes. With a watch, only if no other caller has changed the key
  /// since the watch began; returns `false` if one has.
  @inlinable
  @discardableResult
  func put(_ value: Value, forKey key: Key, expiry: Expiry?, watch: KeyWatch? = nil) -> Bool {
    // Without a limit, costs do not matter, and their sum could overflow an `Int`.
    let cost = budget.limitsCost ? max(cost(key, value), 0) : 0
    guard cost <= budget.costLimit else {
      return refuse(value, forKey: key, watch: watch)
    }
    let hash = Self.hash(key)
    let expiry = config.resolve(expiry)
    if expiry != .never, !isTimed.load(ordering: .relaxed) { isTimed.store(true, ordering: .relaxed) }
    let now = isTimed.load(ordering: .relaxed) ? now() : 0
    while true {
      var leaving = Leaving<Key, Value>()
      let outcome: Outcome = shards.shard(hash).pointee.change { table in
        if table.timers.count > 0 { reclaim(8, from: &table, now: now, into: &leaving) }
        if let watch, !table.watched.contains(watch, of: key) { return .outdated }
        if let found = table.entry(of: key, hash: hash) {
          return replace(
            found, with: value, cost: cost, expiry: expiry, now: now, watch: watch, in: &table, into: &leaving
          )
        }
        if let outcome = reserve(cost: cost, in: &table, into: &leaving) { return outcome }
        if !table.watched.isEmpty { endWatches(of: key, by: watch, in: &table) }
        let index = table.insert(key, value, hash: hash, cost: cost)
        if expiry != .never || config.idleTime != nil { table.setExpiry(expiry, of: index, now: now) }
        return .stored
      }
      leaving.end(onRemoval, reporter)
      switch outcome {
      case .stored: return true
      case .outdated: return false
      case .again: continue
      case .needsRoom(let limit): evictFromFullest(limit)
      }
    }
  }

  /// Rejects a value that alone costs more than the limit, and removes the outdated value it was to replace.
  @usableFromInline
  func refuse(_ value: Value, forKey key: Key, watch: KeyWatch?) -> Bool {
    guard remove(key, .replaced, watch: watch) else { return false }
    shards.shard(Self.hash(key)).pointee.table.withLock { $0.events.count(.costLimit) }
    onRemoval?(Removal(key: key, value: value, reason: .costLimit))
    return true
  }

  /// Replaces the value of an entry.
  @inlinable
  func replace(
    _ found: Table.Found, with value: Value, cost: Int, expiry: Expiry, now: Double, watch: KeyWatch?,
    in table: inout Table, into leaving: inout Leaving<Key, Value>
  ) -> Outcome {
    if budget.limitsCost, !budget.reserve(cost: cost - table.costs[found.index]) {
      guard let victim = table.policy.victim(sparing: found.index, in: table.nodes) else {
        return .needsRoom(.costLimit)
      }
      evict(victim, .costLimit, from: &table, into: &leaving)
      return .again
    }
    let key = found.node.pointee.key
    if !table.watched.isEmpty { endWatches(of: key, by: watch, in: &table) }
    let old = table.replace(found, with: value, cost: cost)
    table.replacements &+= 1
    leaving.append(Removal(key: key, value: old, reason: .replaced))
    if expiry != .never || found.node.pointee.state.isTimed || config.idleTime != nil {
      table.setExpiry(expiry, of: found.index, now: now)
    }
    return .stored
  }

  /// Reserves room for a new entry and returns `nil` if there was enough. At the limit, evicts an entry of the same
  /// shard.
  @inlinable
  func reserve(
    cost: Int, in table: inout Table, into leaving: inout Leaving<Key, Value>
  ) -> Outcome? {
    guard budget.limitsCount || budget.limitsCost else { return nil }
    guard let limit = budget.reserveEntry(cost: cost) else { return nil }
    guard limit == .costLimit ? table.cost >= lightCost : table.count >= lightCount,
      let victim = table.policy.victim(sparing: nil, in: table.nodes)
    else { return .needsRoom(limit) }
    evict(victim, limit, from: &table, into: &leaving)
    // If the evicted entry's room is enough, no second try is needed. Under a count limit alone it always is.
    return budget.reserveEntry(cost: cost) == nil ? nil : .again
  }

  /// Evicts an entry of the fullest shard. Another thread may take the room first; the caller then tries again.
  @usableFromInline
  func evictFromFullest(_ limit: MemoryRemovalReason) {
    var leaving = Leaving<Key, Value>()
    shards.shard(number: shards.fullest(limit)).pointee.change { table in
      guard let victim = table.policy.victim(sparing: nil, in: table.nodes) else { return }
      evict(victim, limit, from: &table, into: &leaving)
    }
    leaving.end(onRemoval, reporter)
  }

  @inlinable
  func evict(
    _ index: UInt32, _ reason: MemoryRemovalReason, from table: inout Table,
    into leaving: inout Leaving<Key, Value>
  ) {
    take(index, reason, evicting: true, from: &table, into: &leaving)
  }

  /// Removes an entry and releases its share of the limits.
  @inlinable
  func take(
    _ index: UInt32, _ reason: MemoryRemovalReason, evicting: Bool = false, from table: inout Table,
    into leaving: inout Leaving<Key, Value>
  ) {
    let cost = table.hasCosts ? table.costs[index] : 0
    let removal = table.remove(index, reason, evicting: evicting)
    if reason != .expired, !table.watched.isEmpty { endWatches(of: removal.key, in: &table) }
    table.events.count(reason)
    leaving.append(removal)
    budget.release(count: 1, cost: cost)
  }

  /// Ends the watches of a changed key: updates and loads in progress do not store what they have read, and later
  /// callers do not join such a load.
  @usableFromInline
  func endWatches(of key: Key, by watch: KeyWatch? = nil, in table: inout Table) {
    if table.watched.end(of: key, by: watch) { flights.overtake(key) }
  }

  /// Removes expired entries in at most `steps` steps. Returns how many steps are left.
  @inlinable
  @discardableResult
  func reclaim(
    _ steps: Int, from table: inout Table, now: Double, into leaving: inout Leaving<Key, Value>
  ) -> Int {
    var steps = steps
    while let index = table.nextExpired(at: now, steps: &steps) {
      take(index, .expired, from: &table, into: &leaving)
    }
    return steps
  }
}
