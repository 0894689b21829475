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
/// A store implements six functions, and two more if it can store values that are larger than memory: `stream` and
/// `stage`. All others, such as `object(forKey:)` and `setObject`, are extensions of this
/// protocol that call these. ``StoreChange`` and ``StoreBatch`` say what to change, and ``How`` how to do it. `read`
/// and `change` of many keys have defaults, which call the functions of one key.
///
/// An absent value is not a failure. A read returns `nil`, or throws `.notFound`, only if nothing is stored. A store
/// that could not find out throws its own error.
///
/// To write a store of your own, conform to ``SimpleStorage``, or to ``SyncSimpleStorage`` if it never suspends. A link
/// over another store implements the functions of this protocol, and passes on what it does not change:
///
/// ```swift
/// struct Logged<Base: StorageAware>: StorageAware {
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
  /// Returns a page of the keys of all entries that have not expired: at most `limit` keys after a cursor, or the first
  /// page without a cursor.
  ///
  /// To list a store of any size in little memory, repeat the call with the cursor of each page, until the cursor is
  /// `nil`. A key that is stored during all of these calls is returned once. A key that is stored or removed meanwhile
  /// may or may not be returned. The listing ends as long as other writers add fewer keys than it returns. A page may
  /// have fewer keys than `limit`, or none, and not be the last. A `limit` below 1 counts as 1.
  ///
  /// Iterate with `keyPages(limit:)` or `entryPages(limit:)`.
  func list(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key>
  /// Removes all entries, or those that have expired.
  func clear(_ extent: StoreExtent) async throws
  /// Returns the bytes of an entry, which are read a part at a time, or `nil` if there is none. The entry may have
  /// expired. By default, the value is read into memory. A range is of the bytes to read, `nil` of all; the part of it
  /// that lies behind the end is ignored.
  func stream(_ key: Key, _ range: Range<Int>?, _ how: How) async throws -> StoredBytes?
  /// Returns a new value, to which the caller appends bytes. When it is committed, it replaces the value of the key, as
  /// by `change`. By default, the bytes are in memory until then. If the expiry is `nil`, the store's own applies.
  func stage(_ key: Key, _ expiry: Expiry?, _ how: How) async throws -> any StagedBytes

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
/// A synchronous function also satisfies the requirement of its `async` variant: implement each function once. In an
/// asynchronous function the compiler prefers the `async` variant, so calls need `await` there; they do not suspend.
public protocol SyncStorageAware<Key, Value>: StorageAware {
  /// Returns the stored entry of a key, or `nil` if there is none. An expired entry may not have been removed yet:
  /// check its `expiry`.
  func read(_ key: Key, _ how: How) throws -> Entry<Value>?
  /// Returns the entries of many keys. Keys without an entry are left out of the result.
  func read(_ keys: [Key], _ how: How) throws -> [Key: Entry<Value>]
  /// Changes one key, and returns whether it was changed: `setIfAbsent` and `touch` may find nothing to do.
  @discardableResult
  func change(_ key: Key, _ change: StoreChange<Value>, _ how: How) throws -> Bool
  /// Stores a value, replacing any value of the key. By default, makes the change `.set`. A memory that implements this
  /// stores the value without a copy for the change.
  func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws
  /// Changes many keys.
  func change(_ batch: StoreBatch<Key, Value>, _ how: How) throws
  /// Returns a page of the keys of all entries that have not expired: at most `limit` keys after a cursor.
  func list(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<Key>
  /// Removes all entries, or those that have expired.
  func clear(_ extent: StoreExtent) throws
}
