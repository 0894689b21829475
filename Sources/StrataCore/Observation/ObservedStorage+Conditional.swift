extension ObservedStorage: SyncConditionalStorage {
  @usableFromInline
  package func setIfAbsent(_ object: TypeWrapper, forKey key: Key, expiry: Expiry?) throws -> Bool {
    guard try inner.storeIfAbsent(object, forKey: key, expiry: expiry, by: conditional) else { return false }
    if !observers.isEmpty {
      let isWatched = observers.isWatched(key)
      observers.record(.add(key: key), keys: isWatched ? [key: edit(nil, object)] : [:])
    }
    return true
  }

  /// Changes the expiry without informing observers, since the value does not change.
  @usableFromInline
  package func touch(forKey key: Key, expiry: Expiry) throws -> Bool {
    try inner.changeExpiry(forKey: key, to: expiry, by: conditional)
  }
}

extension AsyncObservedStorage: ConditionalStorage {
  package func setIfAbsent(_ object: TypeWrapper, forKey key: Key, expiry: Expiry?) async throws -> Bool {
    guard try await inner.storeIfAbsent(object, forKey: key, expiry: expiry, by: conditional) else {
      return false
    }
    if !observers.isEmpty {
      let isWatched = observers.isWatched(key)
      observers.record(.add(key: key), keys: isWatched ? [key: edit(nil, object)] : [:])
    }
    return true
  }

  /// Changes the expiry without informing observers, since the value does not change.
  package func touch(forKey key: Key, expiry: Expiry) async throws -> Bool {
    try await inner.changeExpiry(forKey: key, to: expiry, by: conditional)
  }
}
