// What the stores at the end of a chain share: disks, engines and servers, which keep nothing in memory.

extension How {
  /// Returns whether a read may go to the store. A quiet read may not: it finds only what is in memory. Throws
  /// `WouldWait` if the read would wait and must be done at once.
  package func mayRead(waiting: Bool = true) throws(WouldWait) -> Bool {
    if contains(.quietly) { return false }
    if waiting { try refuseAtOnce() }
    return true
  }

  /// Whether a store's read of many keys serves the operation: the values are wanted, and the read may wait.
  package var allowsBatch: Bool { isDisjoint(with: [.quietly, .atOnce, .expiryOnly]) }

  /// Throws `WouldWait` if the operation, which waits, must be done at once.
  package func refuseAtOnce() throws(WouldWait) { if contains(.atOnce) { throw WouldWait() } }
}

extension StorageAware {
  /// Returns an expiry as this store keeps it, by default its own.
  package func resolved(_ expiry: Expiry?) -> Expiry {
    (expiry ?? traits.ownExpiry ?? .never).resolved(by: clock)
  }
}

extension StoreChangeKind {
  /// The change in words, for errors.
  package var aim: String {
    switch self {
    case .set, .replace, .setIfAbsent: "store the entry"
    case .touch: "change the expiry"
    case .remove, .forget: "remove the entry"
    }
  }
}

extension StoreExtent {
  /// The removal in words, for errors.
  package var aim: String { self == .everything ? "remove all entries" : "remove the expired entries" }
}

extension StoreBatch {
  /// The number of changed keys.
  @inlinable
  package var count: Int {
    switch self {
    case .set(let objects, _): objects.count
    case .setEntries(let entries): entries.count
    case .remove(let keys): keys.count
    }
  }

  /// Calls `body` with each value to store, and with its expiry as a store keeps it, by default the store's `own`.
  @inlinable
  package func forEachObject(
    own: Expiry, by clock: StorageClock, _ body: (Key, Value, Expiry) throws -> Void
  ) rethrows {
    switch self {
    case .set(let objects, let expiry):
      let expiry = (expiry ?? own).resolved(by: clock)
      for (key, object) in objects { try body(key, object, expiry) }
    case .setEntries(let entries):
      for (key, entry) in entries { try body(key, entry.object, entry.expiry.resolved(by: clock)) }
    case .remove: break
    }
  }

  /// The values to store, by their expiry.
  package var byExpiry: [Expiry?: [Key: Value]] {
    switch self {
    case .set(let objects, let expiry): return [expiry: objects]
    case .setEntries(let entries):
      var found: [Expiry?: [Key: Value]] = [:]
      for (key, entry) in entries { found[entry.expiry, default: [:]][key] = entry.object }
      return found
    case .remove: return [:]
    }
  }

  /// The change in words, for errors.
  package var aim: String { if case .remove = self { "remove the entries" } else { "store the entries" } }
}

extension KeyPage where Key: Sendable {
  /// Creates a page of a store that lists all its keys at once. The first page does, and its cursor has the rest.
  package init(after cursor: KeyCursor?, limit: Int, of keys: () throws -> [Key]) throws {
    self = KeyPage(try cursor?.position() ?? keys()[...], limit: limit)
  }
}
