public import StrataCore

/// What stands before every operation of a store: it may end its wait, refuse it, or do it again.
public protocol StorageGuard: Sendable {
  /// Runs an operation, and returns or throws in its place. It may run it more than once.
  func run<R: Sendable>(_ operation: @escaping @Sendable () async throws -> R) async throws -> R
}

/// A store whose operations a guard runs. What is at hand in memory passes by it.
public struct GuardedStorage<Base: StorageAware, Guard: StorageGuard>: StorageAware {
  /// The keys of the store below.
  public typealias Key = Base.Key
  /// The values of the store below.
  public typealias Value = Base.Value

  /// The store below.
  public let base: Base
  /// What runs its operations.
  public let guardian: Guard

  /// Puts a guard before a store.
  public init(_ base: Base, _ guardian: Guard) {
    self.base = base
    self.guardian = guardian
  }

  /// The store below.
  public var wrappedStorages: [any StorageDesign] { [base] }
  /// The clock of the store below.
  public var clock: StorageClock { base.clock }
  /// That of the store below.
  public var coordinator: StorageCoordinator<Key>? { base.coordinator }
  /// That of the store below.
  public var invalidationSource: InvalidationSource<Key>? { base.invalidationSource }

  /// What the store below has at hand.
  public func peek(forKey key: Key) -> Entry<Value>? { base.peek(forKey: key) }
  /// Reads what is stored, or `nil`.
  public func entryIfPresent(forKey key: Key) async throws -> Entry<Value>? {
    try await guardian.run { [base] in try await base.entryIfPresent(forKey: key) }
  }
  /// The expiry of what is stored, or `nil`.
  public func expiryIfPresent(forKey key: Key) async throws -> Expiry? {
    try await guardian.run { [base] in try await base.expiryIfPresent(forKey: key) }
  }
  /// Stores a value.
  public func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    try await guardian.run { [base] in try await base.setObject(object, forKey: key, expiry: expiry) }
  }
  /// Stores a changed value as the store below does.
  public func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    try await guardian.run { [base] in try await base.replaceObject(object, forKey: key, expiry: expiry) }
  }
  /// Removes what is stored under a key, if anything is.
  public func removeObject(forKey key: Key) async throws {
    try await guardian.run { [base] in try await base.removeObject(forKey: key) }
  }
  /// Removes everything.
  public func removeAll() async throws { try await guardian.run { [base] in try await base.removeAll() } }
  /// Removes what has expired.
  public func removeExpiredObjects() async throws {
    try await guardian.run { [base] in try await base.removeExpiredObjects() }
  }
  /// Forgets what memory holds of a key.
  public func removeInMemoryObject(forKey key: Key) async throws {
    try await guardian.run { [base] in try await base.removeInMemoryObject(forKey: key) }
  }
  /// The keys of all that is stored.
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
  /// Removes what is stored under many keys.
  public func removeObjects(forKeys keys: [Key]) async throws {
    try await guardian.run { [base] in try await base.removeObjects(forKeys: keys) }
  }
}
