extension PushingStorage where Front: SyncStorageAware, Back: SyncStorageAware {
  package func cachedEntry(forKey key: Key) -> CacheLookup<Entry<Value>> { front.cachedEntry(forKey: key) }

  package func cachedExpiry(forKey key: Key) -> CacheLookup<Expiry> { front.cachedExpiry(forKey: key) }
}
