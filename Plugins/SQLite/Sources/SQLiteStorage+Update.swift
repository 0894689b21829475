#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension SQLiteStorage: UpdateableStorage {
  /// Reads a value, changes it and stores it, as one operation, also as other processes see it, and returns what it stored.
  /// The expiry stays.
  ///
  /// Throws `.notFound` where there is no value. If `modify` throws, nothing is changed. The file is not locked while `modify` runs:
  /// if somebody else changes the entry meanwhile, it runs again on the new value. It may use other keys of this store and of
  /// others in the file; to write this one throws `.deadlock`.
  @discardableResult
  public func update(forKey key: Key, _ modify: (inout Data) throws -> Void) throws -> Data {
    let row = row(of: key)
    return try entries.database.updates.withTurn(.key(row)) {
      while true {
        let seen = try explaining("read the entry", key) { try entries.find(row.key) }
        guard let seen, !Expiry(since1970: seen.expiry).isExpired(by: clock) else {
          throw StorageError.notFound.with(key: key)
        }
        var value = seen.value
        try modify(&value)
        let isStored = try explaining("store the entry", key) {
          try entries.put(value, row.key, replacing: seen)
        }
        if isStored { return value }
      }
    }
  }

  /// The row of a key, the same for all stores of this process that share the table.
  func row(of key: Key) -> WriteLine.Row {
    WriteLine.Row(table: EntryTable.folded(config.table), key: key.storageKey.canonicalUTF8)
  }
}
