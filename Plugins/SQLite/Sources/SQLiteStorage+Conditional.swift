#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension SQLiteStorage: SyncConditionalStorage {
  /// Stores a value if the key has none, or an expired one. Returns whether it was stored. Atomic across processes.
  ///
  /// Without an expiry, the configuration's applies. Throws the same errors as `setObject`.
  public func setIfAbsent(_ object: Data, forKey key: Key, expiry: Expiry?) throws -> Bool {
    try explaining("store the entry", key) {
      try entries.putIfAbsent(
        object, writable(key).key, expiry: (expiry ?? config.expiry).since1970(by: clock))
    }
  }

  /// Changes the expiry of an entry. Returns `false` if the key has none, or an expired one. Atomic across processes.
  public func touch(forKey key: Key, expiry: Expiry) throws -> Bool {
    try explaining("store the entry", key) {
      try entries.touch(writable(key).key, expiry: expiry.since1970(by: clock))
    }
  }
}
