#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension SQLiteStorage {
  /// Stores a value, replacing the old one. Without an expiry, the configuration's applies.
  ///
  /// If it throws, the old value is still there. Throws `.tooLarge` if key and value alone exceed `maxSize`, or the
  /// billion bytes that SQLite can store in a row; `.deadlock` inside an `update` of the same key.
  public func setObject(_ object: Data, forKey key: Key, expiry: Expiry?) throws {
    try explaining("store the entry", key) {
      try entries.put(object, writable(key).key, expiry: (expiry ?? config.expiry).since1970(by: clock))
    }
  }

  /// Stores all values in one transaction: if it throws, none is stored. If together they exceed `maxSize`, some are
  /// evicted at once.
  public func setObjects(_ objects: [Key: Data], expiry: Expiry?) throws {
    try explaining("store the entries") {
      let values = try objects.map { (key: try writable($0.key).key, value: $0.value) }
      let expiry = (expiry ?? config.expiry).since1970(by: clock)
      try entries.put(values.map { ($0, $1, expiry) })
    }
  }

  /// Stores all values in one transaction, each with its own expiry.
  public func setEntries(_ entries: [Key: Entry<Data>]) throws {
    try explaining("store the entries") {
      try self.entries.put(
        entries.map { key, entry in
          (try writable(key).key, entry.object, entry.expiry.since1970(by: clock))
        })
    }
  }

  /// Removes an entry, if there is one.
  public func removeObject(forKey key: Key) throws {
    try explaining("remove the entry", key) { try entries.remove([writable(key).key]) }
  }

  /// Removes the entries of many keys in one transaction.
  public func removeObjects(forKeys keys: [Key]) throws {
    try explaining("remove the entries") { try entries.remove(keys.map { try writable($0).key }) }
  }

  /// Deletes all rows of the table, also those whose keys the key type cannot read.
  ///
  /// The file does not shrink: later writes use its free space.
  public func removeAll() throws { try explaining("remove all entries") { try entries.removeAll() } }

  /// Removes expired entries, a thousand per transaction. An index finds them, so the cost depends only on their
  /// number.
  public func removeExpiredObjects() throws {
    try explaining("remove what has expired") { try entries.removeExpired() }
  }

  /// Returns the row of a key that is about to be written. Throws inside an update of that key on this thread.
  func writable(_ key: Key) throws(StorageError) -> TableKey {
    // The same row for all stores of this process that share the table.
    let row = TableKey(table: EntryTable.folded(config.table), key: key.storageKey.canonicalUTF8)
    try explaining("write the entry", key) { try entries.database.updates.refuseInsideTurn(of: row) }
    return row
  }
}
