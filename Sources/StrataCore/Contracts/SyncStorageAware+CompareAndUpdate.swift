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
        let seen = try entryToChange(forKey: key)
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
