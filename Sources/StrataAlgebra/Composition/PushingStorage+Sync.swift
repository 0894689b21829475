// Generated from PushingStorage+Async.swift by `make twins`.
package import StrataCore

extension PushingStorage: SyncStorageAware, SyncStorageLink
where Front: SyncStorageAware, Back: SyncStorageAware {
  package func change(_ key: Key, _ change: StoreChange<Value>, _ how: How) throws -> Bool {
    if case .forget = change.kind { return try base.change(key, change, how) }
    if how.contains(.atOnce) { throw WouldWait() }
    return try order.withTurn(.key(key)) {
      guard let change = try unconditional(change.resolved(by: clock), forKey: key) else {
        return false
      }
      try back.change(key, back.keepingExpiry(change, forKey: key), [])
      return try finishing { try base.change(key, change, []) }
    }
  }

  package func change(_ batch: StoreBatch<Key, Value>, _ how: How) throws {
    if how.contains(.atOnce) { throw WouldWait() }
    let batch = batch.resolved(by: clock)
    try order.withTurn(TurnScope(batch.keys)) {
      try back.change(batch, [])
      try finishing { try base.change(batch, []) }
    }
  }

  package func clear(_ extent: StoreExtent) throws {
    // A sweep runs beside changes: they treat expired entries as absent.
    try order.withTurn(extent == .expired ? TurnScope([]) : .everything) {
      try back.clear(extent)
      try finishing { try base.clear(extent) }
    }
  }
}
