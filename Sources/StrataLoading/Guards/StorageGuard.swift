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
  /// Returns the stored entry, or `nil`. A read at once, or a quiet one, is not guarded.
  public func read(_ key: Key, _ how: How) async throws -> Entry<Value>? {
    let below = how.subtracting(.inTurn)
    if !how.isDisjoint(with: [.quietly, .atOnce]) { return try await base.read(key, below) }
    return try await guardian.run { [base] in try await base.read(key, below) }
  }
  /// Reads many keys. A read at once, or a quiet one, is not guarded.
  public func read(_ keys: [Key], _ how: How) async throws -> [Key: Entry<Value>] {
    let below = how.subtracting(.inTurn)
    if !how.isDisjoint(with: [.quietly, .atOnce]) { return try await base.read(keys, below) }
    return try await guardian.run { [base] in try await base.read(keys, below) }
  }
  /// Changes a key. A condition is read first: a change that is repeated would not meet its condition again.
  public func change(_ key: Key, _ change: StoreChange<Value>, _ how: How) async throws -> Bool {
    if how.contains(.atOnce) { throw WouldWait() }
    guard let change = try await unconditional(change, forKey: key) else { return false }
    return try await guardian.run { [base] in try await base.change(key, change, []) }
  }
  /// Changes many keys.
  public func change(_ batch: StoreBatch<Key, Value>, _ how: How) async throws {
    if how.contains(.atOnce) { throw WouldWait() }
    try await guardian.run { [base] in try await base.change(batch, []) }
  }
  /// Returns at most `limit` keys of the inner store after a cursor.
  public func list(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key> {
    try await guardian.run { [base] in try await base.list(after: cursor, limit: limit) }
  }
  /// Removes all entries, or those that have expired.
  public func clear(_ extent: StoreExtent) async throws {
    try await guardian.run { [base] in try await base.clear(extent) }
  }
}
