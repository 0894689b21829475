/// The combinator for per-key ordering: operations on one key never interleave, operations on different keys run
/// concurrently.
///
/// ```swift
/// let tiers = HybridStorage(front: tier, back: disk)
/// let ordered = SyncStorage(TypeWrapperStorage(tiers, transformer: .codable(User.self)))
/// try ordered.update(forKey: "ada") { $0.visits += 1 }   // No update of another thread is lost.
/// ```
///
/// All views of the same store share one order, whether they wait by blocking or by suspending. Cached entries are read
/// without waiting for the key's turn. An operation waits by blocking its thread; where that is not allowed, use
/// `AsyncStorage`.
public final class SyncStorage<Inner: SyncStorageAware>: SyncStorageAware {
  /// The type of the inner store's keys.
  public typealias Key = Inner.Key
  /// The type of the inner store's values.
  public typealias Value = Inner.Value

  /// The inner store. Direct operations on it are not ordered.
  public let inner: Inner
  /// The coordinator that every view of the store shares. It is not forwarded: combinators above this one have an order
  /// of their own.
  @usableFromInline package let meetingPoint: StorageCoordinator<Key>
  /// How often a taken key is tried again before an operation queues for it: if no operation blocks, the key is free
  /// again sooner than a thread could be woken.
  @usableFromInline let attempts: Int

  /// Creates a store that orders the operations on `inner`.
  public convenience init(_ inner: Inner) {
    self.init(inner, coordinator: inner.coordinator ?? StorageCoordinator())
  }

  package init(_ inner: Inner, coordinator: StorageCoordinator<Key>) {
    self.inner = inner
    meetingPoint = coordinator
    attempts = inner.mayBlock ? 0 : 32
  }

  /// The inner store.
  public var wrappedStorages: [any StorageDesign] { [inner] }
  /// The clock of the inner store.
  @inlinable
  public var clock: StorageClock { inner.clock }
  /// Whether the inner store may block.
  public var mayBlock: Bool { inner.mayBlock }
  /// Always `nil`: this store already orders its own operations.
  public var coordinator: StorageCoordinator<Key>? { nil }
  /// The invalidation source of the inner store.
  public var invalidationSource: InvalidationSource<Key>? { inner.invalidationSource }

  /// Returns the inner store's cached entry without waiting for the key's turn.
  @inlinable
  public func peek(forKey key: Key) -> Entry<Value>? { inner.peek(forKey: key) }

  @inlinable
  func ordered<R>(
    _ scope: TurnScope<Key>, reads: Bool = false, _ body: () throws -> R
  ) throws -> R {
    defer { if !reads { meetingPoint.deliver() } }
    return try meetingPoint.unretainedOrder._withUnsafeGuaranteedRef {
      try $0.withTurn(scope, reads: reads, attempts: attempts, body)
    }
  }

  /// Returns the stored entry, or `nil` if there is none. A cached entry is returned without waiting for the key's
  /// turn.
  @inlinable
  public func read(_ key: Key, _ how: How) throws -> Entry<Value>? {
    if !how.isEmpty { return try readSpecially(key, how) }
    if let entry = inner.peek(forKey: key), entry.isLive(by: clock) { return entry }
    return try readInTurn(key)
  }

  @inlinable
  func readSpecially(_ key: Key, _ how: How) throws -> Entry<Value>? {
    if how.contains(.quietly) { return try inner.read(key, how) }
    if how.contains(.atOnce) {
      return try meetingPoint.order.atOnce(key, reads: true) { try inner.read(key, how) }
    }
    return try ordered(.key(key), reads: true) { try inner.read(key, how) }
  }

  /// Returns the entries of many keys, in the turn of all of them.
  public func read(_ keys: [Key], _ how: How) throws -> [Key: Entry<Value>] {
    if !how.isDisjoint(with: [.quietly, .atOnce]) { return try readEach(keys, how) }
    return try ordered(TurnScope(keys), reads: true) { try inner.read(keys, how) }
  }

  /// Returns the stored entry, in the key's turn.
  @inlinable
  package func readInTurn(_ key: Key) throws -> Entry<Value>? {
    try ordered(.key(key), reads: true) { try inner.read(key, []) }
  }

  /// Runs an operation in the key's turn. Returns `nil`, without waiting, if the key is taken or waited for. An inner
  /// store that never blocks is about to release the key: then it is tried a few times.
  @inlinable
  package func ifFree<R>(_ key: Key, _ operation: (borrowing Inner) throws -> R) throws -> R? {
    defer { meetingPoint.deliver() }
    return try meetingPoint.unretainedOrder._withUnsafeGuaranteedRef {
      try $0.ifFree(key, attempts: attempts) { try operation(inner) }
    }
  }

  /// Stores a value that is wrapped already, in the key's turn.
  @inlinable
  package func setWrapped<Below, Seen>(_ wrapper: TypeWrapper, forKey key: Key) throws
  where Inner == TypeWrapperStorage<Below, Seen> {
    try ordered(.key(key)) { try inner.inner.setObject(wrapper, forKey: key, expiry: nil) }
  }

  /// Stores a value, in the key's turn. Does not make a `StoreChange` of it, which would copy the value twice.
  @inlinable
  public func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    try ordered(.key(key)) { try inner.setObject(object, forKey: key, expiry: expiry) }
  }

  /// Changes a key, in its turn.
  ///
  /// A change at once needs a free turn, and no observers: an observer may block. A conditional change is atomic for
  /// all views of the store in this process; for other processes it is atomic if the inner store is a
  /// `ConditionalStorage`.
  @inlinable
  public func change(_ key: Key, _ change: StoreChange<Value>, _ how: How) throws -> Bool {
    if case .remove = change.kind { overtakeLoads(.key(key)) }
    if how.contains(.atOnce) { return try changeAtOnce(key, change, how) }
    return try ordered(.key(key)) { try inner.change(key, change, how) }
  }

  @inlinable
  @inline(never)
  package func changeAtOnce(_ key: Key, _ change: StoreChange<Value>, _ how: How) throws -> Bool {
    if !meetingPoint.observers.isEmpty { throw WouldWait() }
    return try meetingPoint.order.atOnce(key) { try inner.change(key, change, how) }
  }

  /// Changes many keys, in the turn of all of them.
  @inlinable
  public func change(_ batch: StoreBatch<Key, Value>, _ how: How) throws {
    if how.contains(.atOnce) { throw WouldWait() }
    let scope = TurnScope(batch.keys)
    if case .remove = batch { overtakeLoads(scope) }
    try ordered(scope) { try inner.change(batch, how) }
  }

  /// Returns a page of the keys of the inner store.
  public func list(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<Key> {
    try inner.list(after: cursor, limit: limit)
  }

  /// Removes entries. The removal of all entries runs alone. A sweep runs concurrently with other operations, which
  /// treat expired entries as absent; it takes the turn of keys with observers only, so that no removal is reported
  /// after a newer write.
  public func clear(_ extent: StoreExtent) throws {
    switch extent {
    case .everything:
      overtakeLoads(.everything)
      try ordered(.everything) { try inner.clear(extent) }
    case .expired: try ordered(TurnScope(meetingPoint.observers.watchedKeys)) { try inner.clear(extent) }
    }
  }
}

extension SyncStorage: SyncUpdateableStorage {
  /// Reads, changes and stores a value as one atomic operation. Returns the stored value. The expiry does not change.
  ///
  /// Throws `.notFound` if there is no value. If `modify` throws, nothing changes. `modify` runs in the key's turn: it
  /// may use other keys, but writing this key throws `.deadlock`.
  @inlinable
  @discardableResult
  public func update(forKey key: Key, _ modify: (inout Value) throws -> Void) throws -> Value {
    try ordered(.key(key)) {
      guard let inner = inner as? any SyncUpdateableStorage<Key, Value> else {
        return try inner.readModifyWrite(forKey: key, modify)
      }
      return try inner.update(forKey: key, modify)
    }
  }
}

extension SyncStorage where Inner: SyncUpdateableStorage {
  /// Reads, changes and stores a value as one atomic operation of the inner store. Returns the stored value. The expiry
  /// does not change.
  ///
  /// Throws `.notFound` if there is no value. If `modify` throws, nothing changes. `modify` runs in the key's turn: it
  /// may use other keys, but writing this key throws `.deadlock`. If another writer of the inner store changes the
  /// value meanwhile, `modify` runs again with the new value.
  @inlinable
  @discardableResult
  public func update(forKey key: Key, _ modify: (inout Value) throws -> Void) throws -> Value {
    try ordered(.key(key)) { try inner.update(forKey: key, modify) }
  }
}

extension SyncStorage: SyncConditionalStorage {}

extension SyncStorage {
  /// Returns a view of the same store as another type, with the same ordering.
  public func transform<Below, Seen, U: Sendable>(
    to transformer: Transformer<U>
  ) -> SyncStorage<TypeWrapperStorage<Below, U>> where Inner == TypeWrapperStorage<Below, Seen> {
    SyncStorage<TypeWrapperStorage<Below, U>>(inner.transform(to: transformer), coordinator: meetingPoint)
  }

  /// Returns a view of the same store as another type, with the same ordering. The format is the `CodableFormat` of
  /// this view or, if it has none, JSON. Values are transformed as in this view, for example by `.zlib()`.
  public func transform<Below, Seen, U: Codable & Sendable>(
    to type: U.Type
  ) -> SyncStorage<TypeWrapperStorage<Below, U>> where Inner == TypeWrapperStorage<Below, Seen> {
    transform(to: inner.transformer.retyped(as: type))
  }
}
