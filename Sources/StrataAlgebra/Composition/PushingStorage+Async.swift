package import StrataCore

// sync: extension PushingStorage: SyncStorageAware, SyncStorageLink
// sync: where Front: SyncStorageAware, Back: SyncStorageAware {
extension PushingStorage {
  package func change(_ key: Key, _ change: StoreChange<Value>, _ how: How) async throws -> Bool {
    if case .forget = change.kind { return try await base.change(key, change, how) }
    if how.contains(.atOnce) { throw WouldWait() }
    return try await order.withTurn(.key(key)) {
      guard let change = try await unconditional(change.resolved(by: clock), forKey: key) else {
        return false
      }
      try await back.change(key, back.keepingExpiry(change, forKey: key), [])
      return try await finishing { try await base.change(key, change, []) }
    }
  }

  package func change(_ batch: StoreBatch<Key, Value>, _ how: How) async throws {
    if how.contains(.atOnce) { throw WouldWait() }
    let batch = batch.resolved(by: clock)
    try await order.withTurn(TurnScope(batch.keys)) {
      try await back.change(batch, [])
      try await finishing { try await base.change(batch, []) }
    }
  }

  package func clear(_ extent: StoreExtent) async throws {
    // A sweep runs beside changes: they treat expired entries as absent.
    try await order.withTurn(extent == .expired ? TurnScope([]) : .everything) {
      try await back.clear(extent)
      try await finishing { try await base.clear(extent) }
    }
  }
}
