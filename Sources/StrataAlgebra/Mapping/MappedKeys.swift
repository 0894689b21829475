public import StrataCore

/// A store whose keys are mapped both ways.
@usableFromInline
struct MappedKeys<Base: StorageAware, Key: Hashable & Sendable>: StorageAware {
  @usableFromInline typealias Value = Base.Value

  @usableFromInline let base: Base
  @usableFromInline let mapTo: @Sendable (Base.Key) throws -> Key?
  @usableFromInline let mapFrom: @Sendable (Key) throws -> Base.Key
  /// A coordinator of its own, since the inner store's has another type of keys. Copies of this view share it, other
  /// views do not.
  @usableFromInline let ownCoordinator = StorageCoordinator<Key>()
  @usableFromInline let invalidationSource: InvalidationSource<Key>?

  @usableFromInline
  init(
    _ base: Base, mapTo: @escaping @Sendable (Base.Key) throws -> Key?,
    mapFrom: @escaping @Sendable (Key) throws -> Base.Key
  ) {
    self.base = base
    self.mapTo = mapTo
    self.mapFrom = mapFrom
    invalidationSource = base.invalidationSource.map { InvalidationSource(of: [$0], mapTo) }
  }

  @usableFromInline var storageName: String { "mapKeys(to: \(Key.self))" }
  @usableFromInline var wrappedStorages: [any StorageDesign] { [base] }
  @inlinable var clock: StorageClock { base.clock }
  @inlinable var mayBlock: Bool { base.mayBlock }
  @inlinable var coordinator: StorageCoordinator<Key>? { ownCoordinator }
  @usableFromInline var leases: (any StorageLeasing<Key>)? {
    base.leases.map { MappedLeases<Base.Key, Key>(base: $0, inner: mapFrom) }
  }

  /// Returns `nil` for a key that cannot be mapped: the read that follows throws the error.
  @inlinable
  func peek(forKey key: Key) -> Entry<Value>? {
    do { return base.peek(forKey: try mapFrom(key)) } catch { return nil }
  }

  @inlinable
  func inner(_ key: Key) throws -> Base.Key { try mapped(key, forKey: key, by: mapFrom) }

  @inlinable
  func outer(_ key: Base.Key) throws -> Key? { try mapped(key, forKey: key, by: mapTo) }
}

extension MappedKeys: ConditionalStorage where Base: ConditionalStorage {}

extension MappedKeys: SyncConditionalStorage where Base: SyncConditionalStorage {}

extension MappedKeys: CountingStorage where Base: CountingStorage {
  @inlinable
  func increment(forKey key: Key, by amount: Int) async throws -> Int {
    try await base.increment(forKey: inner(key), by: amount)
  }
}

/// The leases of a store with mapped keys.
struct MappedLeases<Inner: Sendable, Key: Sendable>: StorageLeasing {
  let base: any StorageLeasing<Inner>
  let inner: @Sendable (Key) throws -> Inner

  func acquire(_ key: Key, for time: Duration) async throws -> StorageLease? {
    try await base.acquire(try inner(key), for: time)
  }
  func extend(_ lease: StorageLease, of key: Key, for time: Duration) async throws -> Bool {
    try await base.extend(lease, of: try inner(key), for: time)
  }
  func release(_ lease: StorageLease, of key: Key) async throws {
    try await base.release(lease, of: try inner(key))
  }
}
