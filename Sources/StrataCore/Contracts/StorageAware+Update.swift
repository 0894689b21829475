extension StorageAware {
  /// The steps of an update, for a link that has made sure that nobody else writes the key meanwhile. `expiry` says
  /// which one the changed value gets, in a store that has one for it.
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
  /// The steps of an update, for a link that has made sure that nobody else writes the key meanwhile. `expiry` says
  /// which one the changed value gets, in a store that has one for it.
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
  /// The steps of an update for a store that many write, other processes perhaps too: `replace` stores the changed
  /// value if the entry is still as it was read, and says whether it was; if not, all is done again.
  ///
  /// Nothing is locked while `modify` runs, so it may use other keys. A write of this one from inside it would make it
  /// run for ever: each write must ask `updates` to refuse it.
  package func compareAndUpdate<Row>(
    forKey key: Key, _ row: Row, in updates: KeyOrder<Row>, _ modify: (inout Value) throws -> Void,
    replace: (_ seen: Entry<Value>, _ new: Value) throws -> Bool
  ) throws -> Value {
    // The updates of this process do not make each other run again.
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

/// A key in one of the tables of a file: what updates of several stores over the file take turns by.
package struct TableKey: Hashable, Sendable {
  private let table: String
  package let key: [UInt8]

  package init(table: String, key: [UInt8]) {
    self.table = table
    self.key = key
  }
}
