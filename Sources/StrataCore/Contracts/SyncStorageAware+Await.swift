/// With `await`, a synchronous store does the same as without: its own function is called, on the calling thread.
///
/// Without these, the compiler would take the defaults of `StorageAware` for a call with `await`, since it prefers an
/// asynchronous function in asynchronous code to a synchronous one, even to one of the store's own. Every function that
/// has a default in `StorageAware` needs its twin here.
extension SyncStorageAware {
  /// The expiry of what is stored, or `nil`; never decodes the value.
  @inlinable
  public func expiryIfPresent(forKey key: Key) async throws -> Expiry? {
    try withoutSuspending { try expiryIfPresent(forKey: key) }
  }

  /// Stores a changed value in place of one that was read with this expiry.
  @inlinable
  public func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    try withoutSuspending { try replaceObject(object, forKey: key, expiry: expiry) }
  }

  /// Forgets what a memory tier holds of a key; other tiers keep it.
  @inlinable
  public func removeInMemoryObject(forKey key: Key) async throws {
    try withoutSuspending { try removeInMemoryObject(forKey: key) }
  }

  /// Reads many keys; those under which nothing is stored are missing from the answer.
  @inlinable
  public func entries(forKeys keys: [Key]) async throws -> [Key: Entry<Value>] {
    try withoutSuspending { try entries(forKeys: keys) }
  }

  /// Stores many values.
  @inlinable
  public func setObjects(_ objects: [Key: Value], expiry: Expiry?) async throws {
    try withoutSuspending { try setObjects(objects, expiry: expiry) }
  }

  /// Removes what is stored under many keys.
  @inlinable
  public func removeObjects(forKeys keys: [Key]) async throws {
    try withoutSuspending { try removeObjects(forKeys: keys) }
  }
}

/// Runs synchronous code in an asynchronous function: inside `body` the compiler takes the synchronous of two functions
/// of one name.
@inlinable
@inline(__always)
package func withoutSuspending<R>(_ body: () throws -> R) rethrows -> R { try body() }
