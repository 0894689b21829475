/// A store over one inner store that forwards to it every operation that it does not implement itself.
///
/// Operations on values are forwarded if both stores have the same type of values. `_withCachedObject` is not: by
/// default it uses the link's own `peek`.
@usableFromInline
package protocol StorageLink: StorageAware {
  /// The type of the inner store.
  associatedtype Base: StorageAware where Base.Key == Key
  /// The inner store.
  var base: Base { get }
}

extension StorageLink {
  @inlinable package var clock: StorageClock { base.clock }
  @inlinable package var mayBlock: Bool { base.mayBlock }
  @inlinable package var coordinator: StorageCoordinator<Key>? { base.coordinator }
  @inlinable package var invalidationSource: InvalidationSource<Key>? { base.invalidationSource }

  @inlinable
  package func removeObject(forKey key: Key) async throws { try await base.removeObject(forKey: key) }

  @inlinable
  package func removeAll() async throws { try await base.removeAll() }

  @inlinable
  package func removeExpiredObjects() async throws { try await base.removeExpiredObjects() }

  @inlinable
  package func keys() async throws -> [Key] { try await base.keys() }

  @inlinable
  package func keyPage(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key> {
    try await base.keyPage(after: cursor, limit: limit)
  }

  @inlinable
  package func expiryIfPresent(forKey key: Key) async throws -> Expiry? {
    try await base.expiryIfPresent(forKey: key)
  }

  @inlinable
  package func removeInMemoryObject(forKey key: Key) async throws {
    try await base.removeInMemoryObject(forKey: key)
  }

  @inlinable
  package func removeObjects(forKeys keys: [Key]) async throws { try await base.removeObjects(forKeys: keys) }
}

extension StorageLink where Value == Base.Value {
  @inlinable
  package func peek(forKey key: Key) -> Entry<Value>? { base.peek(forKey: key) }

  @inlinable
  package func entryIfPresent(forKey key: Key) async throws -> Entry<Value>? {
    try await base.entryIfPresent(forKey: key)
  }

  @inlinable
  package func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    try await base.setObject(object, forKey: key, expiry: expiry)
  }

  @inlinable
  package func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    try await base.replaceObject(object, forKey: key, expiry: expiry)
  }

  @inlinable
  package func entries(forKeys keys: [Key]) async throws -> [Key: Entry<Value>] {
    try await base.entries(forKeys: keys)
  }

  @inlinable
  package func setObjects(_ objects: [Key: Value], expiry: Expiry?) async throws {
    try await base.setObjects(objects, expiry: expiry)
  }

  @inlinable
  package func setEntries(_ entries: [Key: Entry<Value>]) async throws { try await base.setEntries(entries) }
}

extension StorageLink where Base: ConditionalStorage {
  @inlinable
  package func touch(forKey key: Key, expiry: Expiry) async throws -> Bool {
    try await base.touch(forKey: key, expiry: expiry)
  }
}

extension StorageLink where Base: ConditionalStorage, Value == Base.Value {
  @inlinable
  package func setIfAbsent(_ object: Value, forKey key: Key, expiry: Expiry?) async throws -> Bool {
    try await base.setIfAbsent(object, forKey: key, expiry: expiry)
  }
}
