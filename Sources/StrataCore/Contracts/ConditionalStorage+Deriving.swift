extension ConditionalStorage {
  /// Stores a value with the store's own expiry if none is stored under the key, or only one that has expired. Returns
  /// whether it was stored.
  public func setIfAbsent(_ object: Value, forKey key: Key) async throws -> Bool {
    try await setIfAbsent(object, forKey: key, expiry: nil)
  }
}

extension SyncConditionalStorage {
  /// Stores a value with the store's own expiry if none is stored under the key, or only one that has expired. Returns
  /// whether it was stored.
  public func setIfAbsent(_ object: Value, forKey key: Key) throws -> Bool {
    try setIfAbsent(object, forKey: key, expiry: nil)
  }
}

extension StorageAware {
  /// The steps of `setIfAbsent`, for a link that has made sure that nobody else in this process writes the key
  /// meanwhile. A store that can do it in one step does, also as other processes see it.
  package func storeIfAbsent(_ object: Value, forKey key: Key, expiry: Expiry?) async throws -> Bool {
    if let store = self as? any ConditionalStorage<Key, Value> {
      return try await store.setIfAbsent(object, forKey: key, expiry: expiry)
    }
    guard try await isExpiredObject(forKey: key) else { return false }
    try await setObject(object, forKey: key, expiry: expiry)
    return true
  }

  /// The steps of `touch`, for a link that has made sure that nobody else in this process writes the key meanwhile. A
  /// store that can do it in one step does, also as other processes see it.
  package func changeExpiry(forKey key: Key, to expiry: Expiry) async throws -> Bool {
    if let store = self as? any ConditionalStorage<Key, Value> {
      return try await store.touch(forKey: key, expiry: expiry)
    }
    guard let entry = try await entryIfPresent(forKey: key), !entry.expiry.isExpired(by: clock) else {
      return false
    }
    try await setObject(entry.object, forKey: key, expiry: expiry)
    return true
  }
}

extension SyncStorageAware {
  /// The steps of `setIfAbsent`, for a link that has made sure that nobody else in this process writes the key
  /// meanwhile. A store that can do it in one step does, also as other processes see it.
  package func storeIfAbsent(_ object: Value, forKey key: Key, expiry: Expiry?) throws -> Bool {
    if let store = self as? any SyncConditionalStorage<Key, Value> {
      return try store.setIfAbsent(object, forKey: key, expiry: expiry)
    }
    guard try isExpiredObject(forKey: key) else { return false }
    try setObject(object, forKey: key, expiry: expiry)
    return true
  }

  /// The steps of `touch`, for a link that has made sure that nobody else in this process writes the key meanwhile. A
  /// store that can do it in one step does, also as other processes see it.
  package func changeExpiry(forKey key: Key, to expiry: Expiry) throws -> Bool {
    if let store = self as? any SyncConditionalStorage<Key, Value> {
      return try store.touch(forKey: key, expiry: expiry)
    }
    guard let entry = try entryIfPresent(forKey: key), !entry.expiry.isExpired(by: clock) else {
      return false
    }
    try setObject(entry.object, forKey: key, expiry: expiry)
    return true
  }
}
