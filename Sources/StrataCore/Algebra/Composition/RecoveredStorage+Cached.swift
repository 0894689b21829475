extension RecoveredStorage where Base: SyncStorageAware, R: SyncRecovery {
  /// Returns the cached entry. If the recovery is needed, returns `.unknown`, so that a read performs it.
  package func cachedEntry(forKey key: Key) -> CacheLookup<Entry<Value>> {
    guard case .found(let entry) = base.cachedEntry(forKey: key), live(entry) != nil else { return .unknown }
    return .found(entry)
  }
}
