#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension LMDBStorage: SyncConditionalStorage {
  /// Stores a value if the key has none, or an expired one. Returns whether it was stored. Atomic across processes.
  ///
  /// Without an expiry, the configuration's applies. Throws the same errors as `setObject`.
  public func setIfAbsent(_ object: Data, forKey key: Key, expiry: Expiry?) throws -> Bool {
    do {
      return try table.setIfAbsent(object, forKey: writable(key), expiry: resolved(expiry), by: clock)
    } catch { throw explained(error, "store the entry", key) }
  }

  /// Changes the expiry of an entry. Returns `false` if the key has none, or an expired one. Atomic across processes.
  public func touch(forKey key: Key, expiry: Expiry) throws -> Bool {
    do {
      return try table.touch(forKey: writable(key), expiry: resolved(expiry), by: clock)
    } catch { throw explained(error, "store the entry", key) }
  }
}
