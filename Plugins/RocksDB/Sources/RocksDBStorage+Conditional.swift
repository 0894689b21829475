#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension RocksDBStorage: SyncConditionalStorage {
  /// Stores a value if the key has none, or an expired one, as one operation. Returns whether it was stored.
  ///
  /// Without an expiry, the configuration's applies. Throws the same errors as `setObject`.
  public func setIfAbsent(_ object: Data, forKey key: Key, expiry: Expiry?) throws -> Bool {
    let bytes = try writable(key)
    return try explaining("store the entry", key) {
      try Record.checkSize(key: bytes.count, value: object.count)
      let new = NewEntries(
        entries: [(bytes, object)], expiry: (expiry ?? config.expiry).resolved(by: clock))
      return try family.putIfAbsent(new, by: clock, limit: limit, writing)
    }
  }

  /// Changes the expiry of an entry, as one operation. Returns `false` if the key has none, or an expired one.
  public func touch(forKey key: Key, expiry: Expiry) throws -> Bool {
    let bytes = try writable(key)
    return try explaining("store the entry", key) {
      try family.touch(bytes, expiry.resolved(by: clock), by: clock, limit: limit, writing)
    }
  }
}
