/// A store that does what its base does, unless it says otherwise.
///
/// A link that stores the same values implements what it changes, and no more. A link that stores other values
/// implements `read` and `change`. How an operation is done concerns the base: a link passes it on.
@usableFromInline
package protocol StorageLink: StorageAware {
  associatedtype Base: StorageAware where Base.Key == Key
  var base: Base { get }
}

/// A link over a store that does not suspend.
@usableFromInline
package protocol SyncStorageLink: StorageLink, SyncStorageAware where Base: SyncStorageAware {}

extension StorageLink {
  @inlinable package var clock: StorageClock { base.clock }
  @inlinable package var mayBlock: Bool { base.mayBlock }
  @inlinable package var coordinator: StorageCoordinator<Key>? { base.coordinator }
  @inlinable package var invalidationSource: InvalidationSource<Key>? { base.invalidationSource }
}

extension StorageLink where Value == Base.Value {
  @inlinable
  package func peek(forKey key: Key) -> Entry<Value>? { base.peek(forKey: key) }
}

extension StorageLink where Value == Base.Value {
  @usableFromInline
  package func stream(_ key: Key, _ range: Range<Int>?, _ how: How) async throws -> StoredBytes? {
    try await base.stream(key, range, how)
  }

  @usableFromInline
  package func stage(_ key: Key, _ expiry: Expiry?, _ how: How) async throws -> any StagedBytes {
    try await base.stage(key, expiry, how)
  }
}

extension StorageLink where Base: CountingStorage {
  @inlinable
  package func increment(forKey key: Key, by amount: Int) async throws -> Int {
    try await base.increment(forKey: key, by: amount)
  }
}
