public import StrataCore
public import Synchronization

extension MemoryStorage {
  @usableFromInline
  enum Outcome: Sendable {
    /// Stored. The old value is handed out so that it ends outside the lock: its deinit may be a user's code.
    case stored(replacing: Node?)
    case needsRoom
    /// The version to replace is no longer there.
    case outdated
  }

  /// Stores a value, after as many evictions as it takes. With a version, only in the place of that version of the entry;
  /// returns whether it was still there.
  @inlinable
  @discardableResult
  func put(_ value: Value, forKey key: Key, expiry: Expiry?, replacing version: UInt64? = nil) -> Bool {
    // Without a limit costs are no matter, and their sum might be beyond what an `Int` holds.
    let cost = budget.limit.cost == .max ? 0 : max(cost(key, value), 0)
    guard cost <= budget.limit.cost else {
      // It cannot be kept, and the value that is there is out of date.
      return remove(key, version: version)
    }
    let hash = key.hashValue
    let expiry = (expiry ?? config.expiry).resolved(by: clock)
    while true {
      let outcome = shards.buffer[shards.index(hash)].withTable { table in
        store(
          Node(key: key, value: value, expiry: expiry, hash: hash, cost: cost, stamp: nextStamp()),
          replacing: version, in: &table)
      }
      switch outcome {
      case .stored: return true
      case .outdated: return false
      case .needsRoom: evictOldest()
      }
    }
  }

  @inlinable
  func store(
    _ node: Node, replacing version: UInt64?, in table: inout RecencyTable<Key, Value>
  ) -> Outcome {
    guard let place = table.find(node.key, hash: node.hash) else {
      if version != nil { return .outdated }
      guard !budget.isLimited || budget.reserve(.init(count: 1, cost: node.cost)) else { return .needsRoom }
      table.insert(node)
      return .stored(replacing: nil)
    }
    if let version, table.nodes[Int(place)].written != version { return .outdated }
    // As the most recently used it is not evicted to make room for itself.
    table.touch(place, stamp: node.stamp)
    let growth = node.cost - table.nodes[Int(place)].cost
    guard !budget.isLimited || budget.reserve(.init(count: 0, cost: growth)) else { return .needsRoom }
    return .stored(replacing: table.replace(place, with: node))
  }

  /// Removes an entry, or one version of it. Returns whether it was there.
  @inlinable
  @discardableResult
  func remove(_ key: Key, version: UInt64? = nil) -> Bool {
    let hash = key.hashValue
    let removed: Node? = shards.buffer[shards.index(hash)].withTable { table in
      guard let place = table.find(key, hash: hash),
        version == nil || table.nodes[Int(place)].written == version
      else { return nil }
      return release(table.remove(place))
    }
    return removed != nil
  }

  /// Evicts the least recently used entry of all shards. Another thread may be faster: whoever needs room tries again.
  ///
  /// What a shard says of its oldest entry may be out of date, since reads do not say when they made it younger. Then
  /// to lock the shard corrects that, and the next try sees it.
  @inlinable
  func evictOldest() {
    let (index, age) = shards.oldest()
    let evicted: Node? = shards.buffer[index].withTable { table in
      guard let oldest = table.oldestNode, oldest.stamp <= age else { return nil }
      return release(table.remove(table.oldest))
    }
    withExtendedLifetime(evicted) {}
  }

  /// Gives back what an entry took of the limits.
  @inlinable
  func release(_ node: Node) -> Node {
    if budget.isLimited { budget.release(.init(count: 1, cost: node.cost)) }
    return node
  }

  @inlinable
  func nextStamp() -> UInt64 { writes.wrappingAdd(1, ordering: .relaxed).newValue &* 2 }
}
