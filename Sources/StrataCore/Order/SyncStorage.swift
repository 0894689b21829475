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
  public func entryIfPresent(forKey key: Key) throws -> Entry<Value>? {
    if let entry = inner.peek(forKey: key), !entry.expiry.isExpired(by: clock) { return entry }
    return try readInTurn(key)
  }

  /// Returns the stored entry, in the key's turn.
  @inlinable
  package func readInTurn(_ key: Key) throws -> Entry<Value>? {
    try ordered(.key(key), reads: true) { try inner.entryIfPresent(forKey: key) }
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

  /// Stores a value, in the key's turn.
  @inlinable
  public func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    try ordered(.key(key)) { try inner.setObject(object, forKey: key, expiry: expiry) }
  }

  /// Stores a value that is wrapped already, in the key's turn.
  @inlinable
  package func setWrapped<Below, Seen>(_ wrapper: TypeWrapper, forKey key: Key) throws
  where Inner == TypeWrapperStorage<Below, Seen> {
    try ordered(.key(key)) { try inner.inner.setObject(wrapper, forKey: key, expiry: nil) }
  }

  /// Stores a changed value as the inner store does, in the key's turn.
  public func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    try ordered(.key(key)) { try inner.replaceObject(object, forKey: key, expiry: expiry) }
  }

  /// Removes the entry of a key, in the key's turn.
  @inlinable
  public func removeObject(forKey key: Key) throws {
    overtakeLoads(.key(key))
    try ordered(.key(key)) { try inner.removeObject(forKey: key) }
  }

  /// Removes all entries. Runs alone.
  public func removeAll() throws {
    overtakeLoads(.everything)
    try ordered(.everything) { try inner.removeAll() }
  }

  /// Removes expired entries. Runs concurrently with other operations, which treat expired entries as absent.
  ///
  /// It takes the turn of keys with observers only, so that no removal is reported after a newer write.
  public func removeExpiredObjects() throws {
    try ordered(TurnScope(meetingPoint.observers.watchedKeys)) { try inner.removeExpiredObjects() }
  }

  /// Returns the keys of the inner store.
  public func keys() throws -> [Key] { try inner.keys() }

  /// Returns at most `limit` keys of the inner store after a cursor.
  public func keyPage(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<Key> {
    try inner.keyPage(after: cursor, limit: limit)
  }

  /// Returns the expiry of the stored entry, in the key's turn, or `nil` if there is none.
  public func expiryIfPresent(forKey key: Key) throws -> Expiry? {
    try ordered(.key(key), reads: true) { try inner.expiryIfPresent(forKey: key) }
  }

  /// Returns the inner store's cached entry if the key's turn comes without waiting.
  public func cachedEntry(forKey key: Key) -> CacheLookup<Entry<Value>> {
    CacheLookup { try meetingPoint.order.atOnce(key) { try inner.cachedEntry(forKey: key).get() } }
  }

  /// Returns the expiry of the inner store's cached entry if the key's turn comes without waiting.
  public func cachedExpiry(forKey key: Key) -> CacheLookup<Expiry> {
    CacheLookup { try meetingPoint.order.atOnce(key) { try inner.cachedExpiry(forKey: key).get() } }
  }

  /// Stores a value if the key's turn comes without waiting, the inner store need not wait, and there are no observers:
  /// an observer may block.
  public func setObjectAtOnce(_ object: Value, forKey key: Key, expiry: Expiry?) throws -> Bool {
    guard meetingPoint.observers.isEmpty else { return false }
    return try meetingPoint.order.ifFree(key) {
      try inner.setObjectAtOnce(object, forKey: key, expiry: expiry)
    } ?? false
  }

  /// Removes a key from the memory tier, in the key's turn.
  public func removeInMemoryObject(forKey key: Key) throws {
    try ordered(.key(key)) { try inner.removeInMemoryObject(forKey: key) }
  }

  /// Returns the entries of many keys, in the turn of all of them.
  public func entries(forKeys keys: [Key]) throws -> [Key: Entry<Value>] {
    try ordered(TurnScope(keys), reads: true) { try inner.entries(forKeys: keys) }
  }

  /// Stores many values, in the turn of all their keys.
  @inlinable
  public func setObjects(_ objects: [Key: Value], expiry: Expiry?) throws {
    try ordered(TurnScope(objects.keys)) { try inner.setObjects(objects, expiry: expiry) }
  }

  /// Stores many values, each with its own expiry, in the turn of all their keys.
  public func setEntries(_ entries: [Key: Entry<Value>]) throws {
    try ordered(TurnScope(entries.keys)) { try inner.setEntries(entries) }
  }

  /// Removes the entries of many keys, in the turn of all of them.
  public func removeObjects(forKeys keys: [Key]) throws {
    overtakeLoads(TurnScope(keys))
    try ordered(TurnScope(keys)) { try inner.removeObjects(forKeys: keys) }
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
    try ordered(.key(key)) { try inner.readModifyWrite(forKey: key, modify) }
  }
}

extension SyncStorage: SyncConditionalStorage {
  /// Stores a value if the key has no value, or an expired one. Returns whether the value was stored.
  ///
  /// The operation is atomic for all views of the store in this process. For other processes it is atomic if the inner
  /// store is a `ConditionalStorage`.
  public func setIfAbsent(_ object: Value, forKey key: Key, expiry: Expiry?) throws -> Bool {
    return try ordered(.key(key)) {
      try inner.change(key, .setIfAbsent(object, expiry), [])
    }
  }

  /// Changes the expiry of a stored value. Returns `false` if the key has no value, or an expired one. Atomic like
  /// `setIfAbsent`.
  public func touch(forKey key: Key, expiry: Expiry) throws -> Bool {
    return try ordered(.key(key)) { try inner.change(key, .touch(expiry), []) }
  }
}

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
