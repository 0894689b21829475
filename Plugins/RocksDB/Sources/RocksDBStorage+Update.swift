#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension RocksDBStorage: SyncUpdateableStorage {
  /// Reads a value, modifies and stores it as one operation. Returns the stored value and keeps the expiry.
  ///
  /// Throws `.notFound` if there is no value. If `modify` throws, nothing is changed. No lock is held while `modify`
  /// runs: if the entry is changed meanwhile, `modify` runs again on the new value. It may use other keys of this store
  /// and other stores in the folder; writing the same key throws `.deadlock`.
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
