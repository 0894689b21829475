import StrataDelegate
import Synchronization

extension MemoryStorage {
  /// Removes an entry, if there is one.
  @inlinable
  public func removeObject(forKey key: Key) throws {
    try refuseInsideUpdate(of: key)
    remove(key, .removed)
  }

  /// Removes an entry; with a watch, only if no other caller has changed it since the watch began. Returns `false` if
  /// one has.
  @inlinable
  @discardableResult
  func remove(_ key: Key, _ reason: MemoryRemovalReason, watch: KeyWatch? = nil) -> Bool {
    let hash = Self.hash(key)
    var leaving = Leaving<Key, Value>()
    let isCurrent = shards.shard(hash).pointee.change { table in
      if let watch, !table.watched.contains(watch, of: key) { return false }
      if let index = table.index(of: key, hash: hash) {
        take(index, reason, from: &table, into: &leaving)
      }
      // Also without an entry: an update or load in progress must not bring it back.
      if !table.watched.isEmpty { endWatches(of: key, by: watch, in: &table) }
      return true
    }
    leaving.end(onRemoval, reporter)
    return isCurrent
  }

  /// Removes all entries at one moment. After removing many, makes the C library return their memory to the system.
  public func removeAll() throws {
    let count = retireAll()
    flights.overtakeAll()
    FreedMemory.giveBack(afterFreeing: count)
  }

  /// Replaces every table by an empty one and releases the entries outside the locks. Returns the number of removed
  /// entries.
  private func retireAll() -> Int {
    var count = 0
    var retired: [RetiredTable<Key, Value>] = []
    shards.withAllTables { table in
      budget.release(count: table.count, cost: table.cost)
      count += table.count
      var other = Table(hasCosts: table.hasCosts, idleTime: table.idleTime)
      other.hits = table.hits
      other.misses = table.misses
      other.replacements = table.replacements
      other.events = table.events
      other.events.count(.removed, times: table.count)
      swap(&table, &other)
      retired.append(RetiredTable(other))
    }
    if let onRemoval {
      for table in retired { table.forEach { onRemoval(Removal(key: $0, value: $1, reason: .removed)) } }
    }
    return count
  }

  /// Removes all entries, or the expired ones, a few at a time: that takes O(expired), valid entries are not visited.
  public func clear(_ extent: StoreExtent) throws {
    switch extent {
    case .everything: try removeAll()
    case .expired: reclaimExpired()
    }
  }

  func reclaimExpired() {
    guard isTimed.load(ordering: .relaxed) else { return }
    let now = now()
    for number in 0..<shards.count {
      var hasSeenAll = false
      var isDone = false
      while !isDone {
        var leaving = Leaving<Key, Value>()
        shards.shard(number: number).pointee.change { table in
          let left = reclaim(64, from: &table, now: now, into: &leaving)
          isDone = left > 0 && hasSeenAll
          if left > 0, !hasSeenAll {
            table.timers.lookAtPresent()
            hasSeenAll = true
          }
        }
        leaving.end(onRemoval, reporter)
      }
    }
  }

  /// Evicts a fraction of the entries, from 0 to 1, the least useful first. For use under memory pressure.
  ///
  /// ```swift
  /// memory.evict(0.5)   // Half of the entries.
  /// ```
  ///
  /// On Apple platforms the storage calls this itself: half of the entries at the system's warning, all when memory is
  /// critical.
  public func evict(_ part: Double) {
    for number in 0..<shards.count {
      var left = 0
      shards.shard(number: number).pointee.change {
        left = Int((Double($0.count) * min(max(part, 0), 1)).rounded(.up))
      }
      while left > 0 {
        var leaving = Leaving<Key, Value>()
        shards.shard(number: number).pointee.change { table in
          for _ in 0..<min(left, 64) {
            guard let victim = table.policy.victim(sparing: nil, in: table.nodes) else { break }
            evict(victim, .memoryPressure, from: &table, into: &leaving)
          }
        }
        leaving.end(onRemoval, reporter)
        left -= 64
      }
    }
  }
}

/// A table that is no longer in use. It is released together with this object, outside all locks.
private final class RetiredTable<Key: Hashable & Sendable, Value: Sendable> {
  let table: MemoryTable<Key, Value>

  init(_ table: consuming MemoryTable<Key, Value>) { self.table = table }

  func forEach(_ body: (Key, Value) -> Void) {
    table.forEachIndex { body(table[$0].pointee.key, table[$0].pointee.value) }
  }
}
