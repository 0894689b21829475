#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension RocksDBStorage: SyncConditionalStorage {
  /// Stores bytes if none are stored under the key, or only some that have expired, as one operation. Returns
  /// whether they were stored.
  ///
  /// Without an expiry that of the configuration applies. It throws as `setObject` does.
  public func setIfAbsent(_ object: Data, forKey key: Key, expiry: Expiry?) throws -> Bool {
    let bytes = try writable(key)
    return try explaining("store the entry", key) {
      try Record.checkSize(key: bytes.count, value: object.count)
      let new = NewEntries(
        entries: [(bytes, object)], expiry: (expiry ?? config.expiry).resolved(by: clock))
      return try family.putIfAbsent(new, by: clock, limit: limit, writing)
    }
  }

  /// Changes the expiry of what is stored, as one operation; `false` if nothing is stored, or what has
  /// expired.
  public func touch(forKey key: Key, expiry: Expiry) throws -> Bool {
    let bytes = try writable(key)
    return try explaining("store the entry", key) {
      try family.touch(bytes, expiry.resolved(by: clock), by: clock, limit: limit, writing)
    }
  }
}
