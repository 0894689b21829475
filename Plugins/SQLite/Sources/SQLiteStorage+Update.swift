#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension SQLiteStorage: SyncUpdateableStorage {
  /// Reads a value, modifies and stores it as one operation, atomic across processes. Returns the stored value and
  /// keeps the expiry.
  ///
  /// Throws `.notFound` if there is no value. If `modify` throws, nothing is changed. The file is not locked while
  /// `modify` runs: if the entry is changed meanwhile, `modify` runs again on the new value. It may use other keys of
  /// this store and other stores in the file; writing the same key throws `.deadlock`.
  @discardableResult
  public func update(forKey key: Key, _ modify: (inout Data) throws -> Void) throws -> Data {
    let row = try writable(key)
    return try compareAndUpdate(forKey: key, row, in: entries.database.updates, modify) { seen, value in
      try explaining("store the entry", key) { try entries.put(value, row.key, replacing: seen) }
    }
  }
}
