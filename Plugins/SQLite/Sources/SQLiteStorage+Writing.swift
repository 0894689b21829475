#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension SQLiteStorage {
  /// Stores bytes in place of what was there. Without an expiry that of the configuration applies.
  ///
  /// If it throws, what was stored before is still there. Throws `.tooLarge` if key and value alone are over `maxSize`,
  /// or over the billion bytes that SQLite can store in a row; `.deadlock` inside an `update` of the same key.
  public func setObject(_ object: Data, forKey key: Key, expiry: Expiry?) throws {
    try explaining("store the entry", key) {
      try entries.put(object, writable(key).key, expiry: (expiry ?? config.expiry).since1970(by: clock))
    }
  }

  /// Stores all values in one transaction: if it throws, none. If together they are over `maxSize`, some are removed at
  /// once.
  public func setObjects(_ objects: [Key: Data], expiry: Expiry?) throws {
    try explaining("store the entries") {
      let values = try objects.map { (key: try writable($0.key).key, value: $0.value) }
      try entries.put(values, expiry: (expiry ?? config.expiry).since1970(by: clock))
    }
  }

  /// Removes what is stored under a key, if anything is.
  public func removeObject(forKey key: Key) throws {
    try explaining("remove the entry", key) { try entries.remove([writable(key).key]) }
  }

  /// Removes what is stored under many keys, in one transaction.
  public func removeObjects(forKeys keys: [Key]) throws {
    try explaining("remove the entries") { try entries.remove(keys.map { try writable($0).key }) }
  }

  /// Deletes all rows of the table, also those whose keys the key type cannot read.
  ///
  /// The file does not get smaller: what is free in it will be used again.
  public func removeAll() throws { try explaining("remove all entries") { try entries.removeAll() } }

  /// Deletes what has expired, a thousand entries a transaction. It costs what it deletes: an index finds it.
  public func removeExpiredObjects() throws {
    try explaining("remove what has expired") { try entries.removeExpired() }
  }

  /// The row of a key that is about to be written. Throws inside an update of it on this thread.
  func writable(_ key: Key) throws(StorageError) -> TableKey {
    // The same row for all stores of this process that share the table.
    let row = TableKey(table: EntryTable.folded(config.table), key: key.storageKey.canonicalUTF8)
    try explaining("write the entry", key) { try entries.database.updates.refuseInsideTurn(of: row) }
    return row
  }
}
