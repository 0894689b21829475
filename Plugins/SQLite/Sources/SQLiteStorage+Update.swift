#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension SQLiteStorage: SyncUpdateableStorage {
  /// Reads a value, changes it and stores it, as one operation, also as other processes see it, and returns what it
  /// stored. The expiry stays.
  ///
  /// Throws `.notFound` where there is no value. If `modify` throws, nothing is changed. The file is not locked while
  /// `modify` runs: if somebody else changes the entry meanwhile, it runs again on the new value. It may use other keys
  /// of this store and of others in the file; to write this one throws `.deadlock`.
  @discardableResult
  public func update(forKey key: Key, _ modify: (inout Data) throws -> Void) throws -> Data {
    let row = try writable(key)
    return try compareAndUpdate(forKey: key, row, in: entries.database.updates, modify) { seen, value in
      try explaining("store the entry", key) { try entries.put(value, row.key, replacing: seen) }
    }
  }
}
