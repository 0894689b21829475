#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension EncryptedStorage where Base: SyncStorageAware {
  /// Returns the inner store's cached entry, decrypted. Reports that a read is needed if the value uses an older key or
  /// cannot be decrypted.
  public func cachedEntry(forKey key: Key) -> CacheLookup<Entry<Data>> {
    CacheLookup {
      try base.cachedEntry(forKey: key).get().map { sealed in
        if isStale(sealed) { throw WouldWait() }
        return try open(sealed, forKey: key)
      }
    }
  }

  /// Returns the expiry of the inner store's cached entry.
  public func cachedExpiry(forKey key: Key) -> CacheLookup<Expiry> { base.cachedExpiry(forKey: key) }
}
