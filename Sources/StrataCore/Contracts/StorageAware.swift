/// A keyed store. Every store and combinator in a chain conforms to it, from a dictionary to a cluster of servers.
///
/// ```swift
/// func rename<Store: StorageAware<String, User>>(_ key: String, to name: String, in store: Store) async throws {
///   guard var user = try await store.objectIfPresent(forKey: key) else { return }
///   user.name = name
///   try await store.setObject(user, forKey: key)
/// }
/// try await rename("ada", to: "Ada Lovelace", in: storage)
/// ```
///
/// An absent value is not a failure. A read returns `nil`, or throws `.notFound`, only if nothing is stored. A store
/// that could not find out throws its own error.
///
/// To write a store of your own, implement `entryIfPresent`, `setObject`, `removeObject`, `removeAll`,
/// `removeExpiredObjects` and `keys`. All other functions have defaults that use them. Override the batch functions if
/// one transaction or one round trip can serve many keys.
public protocol StorageAware<Key, Value>: ReadWriteStorage where Key: Hashable {
  // Declared again, so that the compiler infers both types from the functions of a conforming store.
  /// The type of the keys.
  associatedtype Key
  /// The type of the values.
  associatedtype Value

  /// Returns the stored entry of a key, or `nil` if there is none. An expired entry may not have been removed yet:
  /// check its `expiry`.
  func read(_ key: Key, _ how: How) async throws -> Entry<Value>?
  /// Returns the entries of many keys. Keys without an entry are left out of the result.
  func read(_ keys: [Key], _ how: How) async throws -> [Key: Entry<Value>]
  /// Changes one key, and returns whether it was changed: `setIfAbsent` and `touch` may find nothing to do.
  @discardableResult
  func change(_ key: Key, _ change: StoreChange<Value>, _ how: How) async throws -> Bool
  /// Changes many keys.
  func change(_ batch: StoreBatch<Key, Value>, _ how: How) async throws
  /// Returns a page of the keys of all entries that have not expired: at most `limit` keys after a cursor.
  func list(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key>
  /// Removes all entries, or those that have expired.
  func clear(_ extent: StoreExtent) async throws

  /// Returns the stored entry, or `nil` if there is none. An expired entry may not have been removed yet: check its
  /// `expiry`.
  func entryIfPresent(forKey key: Key) async throws -> Entry<Value>?
  /// Stores a value, replacing any value of the key. If `expiry` is `nil`, the store's default applies.
  func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws
  /// Stores a changed value in place of a value that was read with this expiry. A store with several tiers keeps the
  /// expiry of each tier. By default calls `setObject` with the expiry.
  func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws
  /// Removes the entry of a key, if there is one.
  func removeObject(forKey key: Key) async throws
  /// Removes all entries.
  func removeAll() async throws
  /// Removes expired entries.
  func removeExpiredObjects() async throws
  /// Returns the keys of all entries that have not expired, in no particular order.
  func keys() async throws -> [Key]
  /// Returns a page of the keys that `keys()` returns: at most `limit` keys after a cursor, or the first page without a
  /// cursor.
  ///
  /// To list a store of any size in little memory, repeat the call with the cursor of each page, until the cursor is
  /// `nil`. A key that is stored during all of these calls is returned once. A key that is stored or removed meanwhile
  /// may or may not be returned. The listing ends as long as other writers add fewer keys than it returns. A page may
  /// have fewer keys than `limit`, or none, and not be the last. A `limit` below 1 counts as 1. By default lists all
  /// keys at once.
  ///
  /// Iterate with `keyPages(limit:)` or `entryPages(limit:)`.
  func keyPage(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key>

  /// Returns the entry if it is available without waiting, decoding or I/O. By default returns `nil`.
  ///
  /// `nil` does not mean that nothing is stored. The returned entry may have expired.
  func peek(forKey key: Key) -> Entry<Value>?
  /// Returns the result of `body` for the entry that `peek` would return, without copying the entry. By default calls
  /// `peek`. Combinators call it where a hit must be fast; programs call `peek`.
  ///
  /// `body` gets a pointer to the stored value, which is valid until `body` returns. It may run while the store is
  /// locked: it must be short, and must not use a store. If it returns `nil`, the read does not count as a use of the
  /// entry.
  func _withCachedObject<R: Sendable>(forKey key: Key, _ body: (UnsafePointer<Value>, Expiry) -> R?) -> R?
  /// Returns the expiry of the stored entry, or `nil` if there is none. Never decodes the value.
  func expiryIfPresent(forKey key: Key) async throws -> Expiry?
  /// Removes a key from the memory tier only; other tiers keep it. By default does nothing.
  func removeInMemoryObject(forKey key: Key) async throws

  /// Returns the entries of many keys. Keys without an entry are left out of the result.
  func entries(forKeys keys: [Key]) async throws -> [Key: Entry<Value>]
  /// Stores many values.
  func setObjects(_ objects: [Key: Value], expiry: Expiry?) async throws
  /// Stores many values, each with the expiry of its entry. By default calls `setObjects` for each expiry.
  func setEntries(_ entries: [Key: Entry<Value>]) async throws
  /// Removes the entries of many keys.
  func removeObjects(forKeys keys: [Key]) async throws

  /// The clock that decides whether an entry has expired. By default the system clock.
  var clock: StorageClock { get }
  /// Whether a call may block its thread, for example for a disk or behind another operation on the key. By default
  /// `true` only for synchronous stores.
  var mayBlock: Bool { get }
  /// The coordinator that every view of this store shares: per-key ordering and observers. By default a class has one.
  /// A struct has none, unless it forwards the coordinator of the store that it wraps.
  var coordinator: StorageCoordinator<Key>? { get }
  /// A source of invalidations for changes made by other processes, or `nil` if the store has none. A tier in front of
  /// the store never serves an entry that the source has reported as changed.
  var invalidationSource: InvalidationSource<Key>? { get }
  /// The source of leases of keys, for the processes that share the store. By default the source of the inner store, if
  /// any.
  var leases: (any StorageLeasing<Key>)? { get }
}

/// A keyed store whose functions never suspend, so that it can be used without `await`.
///
/// ```swift
/// func names(in store: some SyncStorageAware<String, User>) throws -> [String] {
///   try store.allObjects().map(\.name)
/// }
/// print(try names(in: users))
/// ```
///
/// A synchronous function also satisfies the requirement of its `async` variant: implement each function once.
public protocol SyncStorageAware<Key, Value>: StorageAware {
  /// Returns the stored entry of a key, or `nil` if there is none. An expired entry may not have been removed yet:
  /// check its `expiry`.
  func read(_ key: Key, _ how: How) throws -> Entry<Value>?
  /// Returns the entries of many keys. Keys without an entry are left out of the result.
  func read(_ keys: [Key], _ how: How) throws -> [Key: Entry<Value>]
  /// Changes one key, and returns whether it was changed: `setIfAbsent` and `touch` may find nothing to do.
  @discardableResult
  func change(_ key: Key, _ change: StoreChange<Value>, _ how: How) throws -> Bool
  /// Changes many keys.
  func change(_ batch: StoreBatch<Key, Value>, _ how: How) throws
  /// Returns a page of the keys of all entries that have not expired: at most `limit` keys after a cursor.
  func list(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<Key>
  /// Removes all entries, or those that have expired.
  func clear(_ extent: StoreExtent) throws

  /// Returns the stored entry, or `nil` if there is none. An expired entry may not have been removed yet: check its
  /// `expiry`.
  func entryIfPresent(forKey key: Key) throws -> Entry<Value>?
  /// Stores a value, replacing any value of the key. If `expiry` is `nil`, the store's default applies.
  func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws
  /// Stores a changed value in place of a value that was read with this expiry. A store with several tiers keeps the
  /// expiry of each tier. By default calls `setObject` with the expiry.
  func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws
  /// Removes the entry of a key, if there is one.
  func removeObject(forKey key: Key) throws
  /// Removes all entries.
  func removeAll() throws
  /// Removes expired entries.
  func removeExpiredObjects() throws
  /// Returns the keys of all entries that have not expired, in no particular order.
  func keys() throws -> [Key]
  /// Returns a page of the keys that `keys()` returns: at most `limit` keys after a cursor, or the first page without a
  /// cursor.
  ///
  /// To list a store of any size in little memory, repeat the call with the cursor of each page, until the cursor is
  /// `nil`. A key that is stored during all of these calls is returned once. A key that is stored or removed meanwhile
  /// may or may not be returned. The listing ends as long as other writers add fewer keys than it returns. A page may
  /// have fewer keys than `limit`, or none, and not be the last. A `limit` below 1 counts as 1. By default lists all
  /// keys at once.
  ///
  /// Iterate with `keyPages(limit:)` or `entryPages(limit:)`, or here with `forEachKeyPage`.
  func keyPage(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<Key>

  /// Returns the result of `entryIfPresent` if it is available without waiting for I/O, or for a lock whose holder may
  /// wait for I/O.
  ///
  /// Called on threads that must not block, in the key's turn and before a read; the result counts as a read. By
  /// default a store that never blocks reads, and any other store returns an unexpired result of `peek`. A combinator
  /// calls the same function of its inner store.
  func cachedEntry(forKey key: Key) -> CacheLookup<Entry<Value>>
  /// Returns the result of `expiryIfPresent` if it is available without waiting. By default the expiry of
  /// `cachedEntry`.
  func cachedExpiry(forKey key: Key) -> CacheLookup<Expiry>

  /// Stores a value as `setObject` does, if that is possible without waiting for I/O or for a lock. Returns whether the
  /// value was stored; if not, nothing has changed.
  ///
  /// Called on threads that must not block, before `setObject`. By default a store that never blocks stores the value,
  /// and any other store returns `false`. A combinator calls the same function of its inner store.
  func setObjectAtOnce(_ object: Value, forKey key: Key, expiry: Expiry?) throws -> Bool

  /// Returns the expiry of the stored entry, or `nil` if there is none. Never decodes the value.
  func expiryIfPresent(forKey key: Key) throws -> Expiry?
  /// Removes a key from the memory tier only; other tiers keep it. By default does nothing.
  func removeInMemoryObject(forKey key: Key) throws

  /// Returns the entries of many keys. Keys without an entry are left out of the result.
  func entries(forKeys keys: [Key]) throws -> [Key: Entry<Value>]
  /// Stores many values.
  func setObjects(_ objects: [Key: Value], expiry: Expiry?) throws
  /// Stores many values, each with the expiry of its entry. By default calls `setObjects` for each expiry.
  func setEntries(_ entries: [Key: Entry<Value>]) throws
  /// Removes the entries of many keys.
  func removeObjects(forKeys keys: [Key]) throws
}
