extension StorageAware {
  /// Reads, changes and stores a value. The caller, a combinator, must exclude other writes of the key. `expiry`
  /// returns the expiry of the changed value; `nil` stands for the store's default.
  @inlinable
  package func readModifyWrite(
    forKey key: Key, expiry: (Entry<Value>) async throws -> Expiry? = { $0.expiry },
    _ modify: (inout Value) async throws -> Void
  ) async throws -> Value {
    let entry = try await entry(forKey: key)
    if entry.expiry.isExpired(by: clock) { throw StorageError.notFound.with(key: key) }
    var value = entry.object
    try await modify(&value)
    try await replaceObject(value, forKey: key, expiry: expiry(entry))
    return value
  }
}

extension SyncStorageAware {
  /// Reads, changes and stores a value. The caller, a combinator, must exclude other writes of the key. `expiry`
  /// returns the expiry of the changed value; `nil` stands for the store's default.
  @inlinable
  package func readModifyWrite(
    forKey key: Key, expiry: (Entry<Value>) throws -> Expiry? = { $0.expiry },
    _ modify: (inout Value) throws -> Void
  ) throws -> Value {
    let entry = try entry(forKey: key)
    if entry.expiry.isExpired(by: clock) { throw StorageError.notFound.with(key: key) }
    var value = entry.object
    try modify(&value)
    try replaceObject(value, forKey: key, expiry: expiry(entry))
    return value
  }
}

extension SyncStorageAware {
  /// Updates a value of a store that other writers, even other processes, write concurrently. `replace` atomically
  /// stores the changed value if the entry is unchanged since it was read, and returns whether it did. If not, the
  /// update runs again.
  ///
  /// No lock is held while `modify` runs, so it may use other keys. If `modify` wrote this key, the loop would never
  /// end: each write must therefore call `updates.refuseInsideTurn(of:)`, which refuses a nested write.
  package func compareAndUpdate<Row>(
    forKey key: Key, _ row: Row, in updates: KeyOrder<Row>, _ modify: (inout Value) throws -> Void,
    replace: (_ seen: Entry<Value>, _ new: Value) throws -> Bool
  ) throws -> Value {
    // Updates of this process take turns, so that they do not make each other run again.
    try updates.withTurn(.key(row)) {
      while true {
        let seen = try entry(forKey: key)
        if seen.expiry.isExpired(by: clock) { throw StorageError.notFound.with(key: key) }
        var value = seen.object
        try modify(&value)
        if try replace(seen, value) { return value }
      }
    }
  }
}

/// A key in one of the tables of a file. Per-key ordering of updates uses it, shared by all stores over the file.
package struct TableKey: Hashable, Sendable {
  private let table: String
  package let key: [UInt8]

  package init(table: String, key: [UInt8]) {
    self.table = table
    self.key = key
  }
}
