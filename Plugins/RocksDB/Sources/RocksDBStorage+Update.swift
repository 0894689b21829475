#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension RocksDBStorage: SyncUpdateableStorage {
  /// Reads a value, changes it and stores it, as one operation, and returns what it stored. The expiry stays.
  ///
  /// Throws `.notFound` where there is no value. If `modify` throws, nothing is changed. Nobody waits while `modify`
  /// runs: if somebody else changes the entry meanwhile, it runs again on the new value. It may use other keys of this
  /// store and of others in the folder; to write this one throws `.deadlock`.
  @discardableResult
  public func update(forKey key: Key, _ modify: (inout Data) throws -> Void) throws -> Data {
    let bytes = try writable(key)
    return try compareAndUpdate(forKey: key, bytes, in: family.updates, modify) { seen, value in
      try explaining("store the entry", key) {
        try Record.checkSize(key: bytes.count, value: value.count)
        return try family.replace(seen, with: value, bytes, limit: limit, writing)
      }
    }
  }
}
