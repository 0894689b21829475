/// A store that implements one function for each operation on a key. The six functions of ``StorageAware`` use them.
///
/// Implement `entryIfPresent`, `setObject`, `removeObject`, `removeAll`, `removeExpiredObjects` and `keys`. The other
/// functions have defaults that use these. Override the batch functions if one transaction or one round trip can serve
/// many keys.
///
/// ```swift
/// actor Notes: SimpleStorage {
///   private var notes: [String: Entry<String>] = [:]
///   func entryIfPresent(forKey key: String) -> Entry<String>? { notes[key] }
///   func setObject(_ note: String, forKey key: String, expiry: Expiry?) {
///     notes[key] = Entry(object: note, expiry: expiry ?? .never)
///   }
///   func removeObject(forKey key: String) { notes[key] = nil }
///   func removeAll() { notes = [:] }
///   func removeExpiredObjects() { notes = notes.filter { !$0.value.expiry.isExpired } }
///   func keys() -> [String] { notes.filter { !$0.value.expiry.isExpired }.map(\.key) }
/// }
/// ```
///
/// A conditional write reads the entry and then writes it. If the store can do both in one step, conform to
/// ``SimpleConditionalStorage``.
public protocol SimpleStorage<Key, Value>: StorageAware {
  // Declared again, so that the compiler infers both types from the functions of a conforming store.
  /// The type of the keys.
  associatedtype Key
  /// The type of the values.
  associatedtype Value

  /// Returns the stored entry, or `nil` if there is none. An expired entry may not have been removed yet: check its
  /// `expiry`.
  func entryIfPresent(forKey key: Key) async throws -> Entry<Value>?
  /// Stores a value, replacing any value of the key. If `expiry` is `nil`, the store's default applies.
  func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws
  /// Removes the entry of a key, if there is one.
  func removeObject(forKey key: Key) async throws
  /// Removes all entries.
  func removeAll() async throws
  /// Removes expired entries.
  func removeExpiredObjects() async throws
  /// Returns the keys of all entries that have not expired, in no particular order.
  func keys() async throws -> [Key]

  /// Returns the expiry of the stored entry, or `nil` if there is none. By default reads the entry.
  func expiryIfPresent(forKey key: Key) async throws -> Expiry?
  /// Returns the entries of many keys. By default reads one after the other.
  func entries(forKeys keys: [Key]) async throws -> [Key: Entry<Value>]
  /// Stores many values. By default stores one after the other.
  func setObjects(_ objects: [Key: Value], expiry: Expiry?) async throws
  /// Stores many values, each with the expiry of its entry. By default calls `setObjects` for each expiry.
  func setEntries(_ entries: [Key: Entry<Value>]) async throws
  /// Removes the entries of many keys. By default removes one after the other.
  func removeObjects(forKeys keys: [Key]) async throws
  /// Returns a page of the keys that `keys()` returns, see ``StorageAware/list(after:limit:)``. By default lists all
  /// keys at once.
  func keyPage(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key>
}

/// A ``SimpleStorage`` whose functions never suspend, so that it can be used without `await`.
///
/// ```swift
/// struct Environment: SyncSimpleStorage {
///   func entryIfPresent(forKey name: String) -> Entry<String>? {
///     getenv(name).map { Entry(object: String(cString: $0)) }
///   }
///   func setObject(_ value: String, forKey name: String, expiry: Expiry?) { setenv(name, value, 1) }
///   func removeObject(forKey name: String) { unsetenv(name) }
///   func removeAll() { for name in keys() { unsetenv(name) } }
///   func removeExpiredObjects() {}
///   func keys() -> [String] { Array(ProcessInfo.processInfo.environment.keys) }
/// }
/// ```
public protocol SyncSimpleStorage<Key, Value>: SyncStorageAware {
  // Declared again, so that the compiler infers both types from the functions of a conforming store.
  /// The type of the keys.
  associatedtype Key
  /// The type of the values.
  associatedtype Value

  /// Returns the stored entry, or `nil` if there is none. An expired entry may not have been removed yet: check its
  /// `expiry`.
  func entryIfPresent(forKey key: Key) throws -> Entry<Value>?
  /// Stores a value, replacing any value of the key. If `expiry` is `nil`, the store's default applies.
  func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws
  /// Removes the entry of a key, if there is one.
  func removeObject(forKey key: Key) throws
  /// Removes all entries.
  func removeAll() throws
  /// Removes expired entries.
  func removeExpiredObjects() throws
  /// Returns the keys of all entries that have not expired, in no particular order.
  func keys() throws -> [Key]

  /// Returns the expiry of the stored entry, or `nil` if there is none. By default reads the entry.
  func expiryIfPresent(forKey key: Key) throws -> Expiry?
  /// Returns the entries of many keys. By default reads one after the other.
  func entries(forKeys keys: [Key]) throws -> [Key: Entry<Value>]
  /// Stores many values. By default stores one after the other.
  func setObjects(_ objects: [Key: Value], expiry: Expiry?) throws
  /// Stores many values, each with the expiry of its entry. By default calls `setObjects` for each expiry.
  func setEntries(_ entries: [Key: Entry<Value>]) throws
  /// Removes the entries of many keys. By default removes one after the other.
  func removeObjects(forKeys keys: [Key]) throws
  /// Returns a page of the keys that `keys()` returns, see ``StorageAware/list(after:limit:)``. By default lists all
  /// keys at once.
  func keyPage(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<Key>
}

/// A ``SimpleStorage`` with atomic conditional writes.
///
/// ```swift
/// actor Notes: SimpleConditionalStorage {
///   private var notes: [String: Entry<String>] = [:]
///   func setIfAbsent(_ note: String, forKey key: String, expiry: Expiry?) -> Bool {
///     if let entry = notes[key], !entry.expiry.isExpired { return false }
///     setObject(note, forKey: key, expiry: expiry)
///     return true
///   }
///   func touch(forKey key: String, expiry: Expiry) -> Bool {
///     guard let entry = notes[key], !entry.expiry.isExpired else { return false }
///     setObject(entry.object, forKey: key, expiry: expiry)
///     return true
///   }
///   // The six functions of `SimpleStorage`:
///   func entryIfPresent(forKey key: String) -> Entry<String>? { notes[key] }
///   func setObject(_ note: String, forKey key: String, expiry: Expiry?) {
///     notes[key] = Entry(object: note, expiry: expiry ?? .never)
///   }
///   func removeObject(forKey key: String) { notes[key] = nil }
///   func removeAll() { notes = [:] }
///   func removeExpiredObjects() { notes = notes.filter { !$0.value.expiry.isExpired } }
///   func keys() -> [String] { notes.filter { !$0.value.expiry.isExpired }.map(\.key) }
/// }
/// ```
public protocol SimpleConditionalStorage<Key, Value>: SimpleStorage, ConditionalStorage {
  /// Stores a value if the key has no value, or an expired one. Returns whether the value was stored.
  ///
  /// If `expiry` is `nil`, the store's default applies.
  func setIfAbsent(_ object: Value, forKey key: Key, expiry: Expiry?) async throws -> Bool
  /// Changes the expiry of a stored value without changing the value. Returns `false` and changes nothing if the key
  /// has no value, or an expired one.
  func touch(forKey key: Key, expiry: Expiry) async throws -> Bool
}

/// A ``SimpleConditionalStorage`` whose functions never suspend.
///
/// ```swift
/// final class Tickets: SyncSimpleConditionalStorage {
///   private let names = Mutex<[Int: String]>([:])
///   // A ticket never expires, and is sold once.
///   func setIfAbsent(_ name: String, forKey ticket: Int, expiry: Expiry?) -> Bool {
///     names.withLock {
///       guard $0[ticket] == nil else { return false }
///       $0[ticket] = name
///       return true
///     }
///   }
///   func touch(forKey ticket: Int, expiry: Expiry) -> Bool { names.withLock { $0[ticket] != nil } }
///   // The six functions of `SyncSimpleStorage`:
///   func entryIfPresent(forKey ticket: Int) -> Entry<String>? {
///     names.withLock { $0[ticket] }.map { Entry(object: $0) }
///   }
///   func setObject(_ name: String, forKey ticket: Int, expiry: Expiry?) { names.withLock { $0[ticket] = name } }
///   func removeObject(forKey ticket: Int) { names.withLock { $0[ticket] = nil } }
///   func removeAll() { names.withLock { $0 = [:] } }
///   func removeExpiredObjects() {}
///   func keys() -> [Int] { names.withLock { Array($0.keys) } }
/// }
/// ```
public protocol SyncSimpleConditionalStorage<Key, Value>: SyncSimpleStorage, SyncConditionalStorage {
  /// Stores a value if the key has no value, or an expired one. Returns whether the value was stored.
  ///
  /// If `expiry` is `nil`, the store's default applies.
  func setIfAbsent(_ object: Value, forKey key: Key, expiry: Expiry?) throws -> Bool
  /// Changes the expiry of a stored value without changing the value. Returns `false` and changes nothing if the key
  /// has no value, or an expired one.
  func touch(forKey key: Key, expiry: Expiry) throws -> Bool
}
