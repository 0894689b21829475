#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension SQLiteStorage: SyncConditionalStorage {
  /// Stores bytes if none are stored under the key, or only some that have expired, as one operation, also as other
  /// processes see it. Returns whether they were stored.
  ///
  /// Without an expiry that of the configuration applies. It throws as `setObject` does.
  public func setIfAbsent(_ object: Data, forKey key: Key, expiry: Expiry?) throws -> Bool {
    try explaining("store the entry", key) {
      try entries.putIfAbsent(
        object, writable(key).key, expiry: (expiry ?? config.expiry).since1970(by: clock))
    }
  }

  /// Changes the expiry of what is stored, as one operation, also as other processes see it; `false` if nothing is
  /// stored, or what has expired.
  public func touch(forKey key: Key, expiry: Expiry) throws -> Bool {
    try explaining("store the entry", key) {
      try entries.touch(writable(key).key, expiry: expiry.since1970(by: clock))
    }
  }
}
