/// A `StorageLink` over a synchronous store, which forwards the synchronous operations too.
@usableFromInline
package protocol SyncStorageLink: StorageLink, SyncStorageAware where Base: SyncStorageAware {}

extension SyncStorageLink {
  @inlinable
  package func cachedExpiry(forKey key: Key) -> CacheLookup<Expiry> { base.cachedExpiry(forKey: key) }
}

extension SyncStorageLink where Value == Base.Value {
  @inlinable
  package func cachedEntry(forKey key: Key) -> CacheLookup<Entry<Value>> { base.cachedEntry(forKey: key) }

  @inlinable
  package func setObjectAtOnce(_ object: Value, forKey key: Key, expiry: Expiry?) throws -> Bool {
    try base.setObjectAtOnce(object, forKey: key, expiry: expiry)
  }
}
