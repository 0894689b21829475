extension ZippedStorage where A: SyncStorageAware, B: SyncStorageAware {
  /// Returns both parts if neither store has to wait and no change of the pair is in progress.
  @usableFromInline
  package func cachedEntry(forKey key: Key) -> CacheLookup<Entry<Value>> {
    CacheLookup {
      try changes.order.atOnce(key) {
        guard let one = try first.cachedEntry(forKey: key).get() else { return nil }
        return try second.cachedEntry(forKey: key).get().map { pair(one, $0) }
      }
    }
  }

  @usableFromInline
  package func cachedExpiry(forKey key: Key) -> CacheLookup<Expiry> {
    CacheLookup {
      try changes.order.atOnce(key) {
        guard let one = try first.cachedExpiry(forKey: key).get() else { return nil }
        return try second.cachedExpiry(forKey: key).get().map { .earlier(one, $0) }
      }
    }
  }
}
