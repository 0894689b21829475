/// A store that implements the narrow operations: `read`, `change`, `list` and `clear`. All others use them.
///
/// ```swift
/// struct Logged<Base: StorageAware>: NarrowStorage {
///   let base: Base
///   func read(_ key: Base.Key, _ how: How) async throws -> Entry<Base.Value>? { try await base.read(key, how) }
///   func change(_ key: Base.Key, _ change: StoreChange<Base.Value>, _ how: How) async throws -> Bool {
///     print(change.kind, key)
///     return try await base.change(key, change, how)
///   }
///   func list(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Base.Key> {
///     try await base.list(after: cursor, limit: limit)
///   }
///   func clear(_ extent: StoreExtent) async throws { try await base.clear(extent) }
/// }
/// ```
public protocol NarrowStorage<Key, Value>: StorageAware {}

/// A narrow store whose functions never suspend. It is no `NarrowStorage`: async functions would then have to await
/// them.
///
/// ```swift
/// func expiry(of key: String, in store: some SyncNarrowStorage<String, User>) throws -> Expiry? {
///   try store.read(key, .expiryOnly)?.expiry
/// }
/// ```
public protocol SyncNarrowStorage<Key, Value>: SyncStorageAware {}

extension SyncNarrowStorage {
  /// Returns the entry if the store can tell without waiting.
  @inlinable
  public func cachedEntry(forKey key: Key) -> CacheLookup<Entry<Value>> {
    CacheLookup { try read(key, .atOnce) }
  }

  /// Returns the expiry of the entry if the store can tell without waiting.
  @inlinable
  public func cachedExpiry(forKey key: Key) -> CacheLookup<Expiry> {
    CacheLookup { try read(key, [.atOnce, .expiryOnly])?.expiry }
  }

  /// Stores a value if that needs no waiting. Returns `false` if it has changed nothing.
  @inlinable
  public func setObjectAtOnce(_ object: Value, forKey key: Key, expiry: Expiry?) throws -> Bool {
    do { return try change(key, .set(object, expiry), .atOnce) } catch is WouldWait { return false }
  }
}
