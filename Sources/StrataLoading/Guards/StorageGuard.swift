public import StrataCore

/// Runs every operation of a store: it may limit its time, refuse it, or repeat it.
///
/// ```swift
/// struct Timing: StorageGuard {
///   func run<R: Sendable>(
///     _ operation: nonisolated(nonsending) @escaping @Sendable () async throws -> R
///   ) async throws -> R {
///     let start = ContinuousClock.now
///     defer { print("took \(start.duration(to: .now))") }
///     return try await operation()
///   }
/// }
/// let users = GuardedStorage(storage, Timing())
/// ```
public protocol StorageGuard: Sendable {
  /// Runs an operation, possibly more than once, and returns or throws its result.
  func run<R: Sendable>(_ operation: @escaping @Sendable () async throws -> R) async throws -> R
}

/// A store whose operations are run by a guard. Cached entries in memory are returned without it.
///
/// ```swift
/// let users = storage.timeout(.milliseconds(50)).retry(2).breaker()   // Three guards, the breaker outermost.
/// ```
public struct GuardedStorage<Base: StorageAware, Guard: StorageGuard>: StorageAware {
  /// The type of the inner store's keys.
  public typealias Key = Base.Key
  /// The type of the inner store's values.
  public typealias Value = Base.Value

  /// The inner store.
  public let base: Base
  /// The guard that runs the operations.
  public let guardian: Guard

  /// Creates a store with a guard.
  public init(_ base: Base, _ guardian: Guard) {
    self.base = base
    self.guardian = guardian
  }

  /// The inner store.
  public var wrappedStorages: [any StorageDesign] { [base] }
  /// The clock of the inner store.
  public var clock: StorageClock { base.clock }
  /// The coordinator of the inner store.
  public var coordinator: StorageCoordinator<Key>? { base.coordinator }
  /// The invalidation source of the inner store.
  public var invalidationSource: InvalidationSource<Key>? { base.invalidationSource }

  /// Returns the inner store's cached entry. Never blocks.
  public func peek(forKey key: Key) -> Entry<Value>? { base.peek(forKey: key) }
  /// Returns the stored entry, or `nil`.
  public func entryIfPresent(forKey key: Key) async throws -> Entry<Value>? {
    try await guardian.run { [base] in try await base.entryIfPresent(forKey: key) }
  }
  /// Returns the expiry of the stored entry, or `nil`.
  public func expiryIfPresent(forKey key: Key) async throws -> Expiry? {
    try await guardian.run { [base] in try await base.expiryIfPresent(forKey: key) }
  }
  /// Stores a value.
  public func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    try await guardian.run { [base] in try await base.setObject(object, forKey: key, expiry: expiry) }
  }
  /// Stores a changed value like the inner store.
  public func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    try await guardian.run { [base] in try await base.replaceObject(object, forKey: key, expiry: expiry) }
  }
  /// Removes the value of a key, if any.
  public func removeObject(forKey key: Key) async throws {
    try await guardian.run { [base] in try await base.removeObject(forKey: key) }
  }
  /// Removes everything.
  public func removeAll() async throws { try await guardian.run { [base] in try await base.removeAll() } }
  /// Removes expired values.
  public func removeExpiredObjects() async throws {
    try await guardian.run { [base] in try await base.removeExpiredObjects() }
  }
  /// Drops a key from memory.
  public func removeInMemoryObject(forKey key: Key) async throws {
    try await guardian.run { [base] in try await base.removeInMemoryObject(forKey: key) }
  }
  /// Returns all keys.
  public func keys() async throws -> [Key] { try await guardian.run { [base] in try await base.keys() } }
  /// Returns at most `limit` keys of the inner store after a cursor.
  public func keyPage(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key> {
    try await guardian.run { [base] in try await base.keyPage(after: cursor, limit: limit) }
  }
  /// Reads many keys.
  public func entries(forKeys keys: [Key]) async throws -> [Key: Entry<Value>] {
    try await guardian.run { [base] in try await base.entries(forKeys: keys) }
  }
  /// Stores many values.
  public func setObjects(_ objects: [Key: Value], expiry: Expiry?) async throws {
    try await guardian.run { [base] in try await base.setObjects(objects, expiry: expiry) }
  }
  /// Stores many values, each with its own expiry.
  public func setEntries(_ entries: [Key: Entry<Value>]) async throws {
    try await guardian.run { [base] in try await base.setEntries(entries) }
  }
  /// Removes the values of many keys.
  public func removeObjects(forKeys keys: [Key]) async throws {
    try await guardian.run { [base] in try await base.removeObjects(forKeys: keys) }
  }
}
