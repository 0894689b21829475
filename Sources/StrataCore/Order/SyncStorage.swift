/// The link that keeps order: operations on one key never interleave, those on different keys run side by side.
///
/// All that stand over the same store share one order, whether they wait by blocking or by suspending. What is at hand
/// in memory is read past it, without waiting. An operation waits by blocking its thread; use `AsyncStorage` where it
/// must not.
public final class SyncStorage<Inner: SyncStorageAware>: SyncStorageAware {
  /// The keys of the store below.
  public typealias Key = Inner.Key
  /// The values of the store below.
  public typealias Value = Inner.Value

  /// The store below. What is done to it directly is not in order.
  public let inner: Inner
  /// Where all that stand over the same store meet. Not passed on: an order above this one is another's.
  @usableFromInline package let meetingPoint: StorageHub<Key>

  /// Puts operations on a store in order.
  public convenience init(_ inner: Inner) { self.init(inner, hub: inner.hub ?? StorageHub()) }

  package init(_ inner: Inner, hub: StorageHub<Key>) {
    self.inner = inner
    meetingPoint = hub
  }

  /// The store below.
  public var wrappedStorages: [any StorageDesign] { [inner] }
  /// The clock of the store below.
  @inlinable
  public var clock: StorageClock { inner.clock }
  /// Whether the store below may block.
  public var mayBlock: Bool { inner.mayBlock }
  /// None: what stands above this link waits in an order of its own.
  public var hub: StorageHub<Key>? { nil }
  /// That of the store below.
  public var announcer: StorageAnnouncer<Key>? { inner.announcer }

  /// What the store below has at hand, past the order.
  @inlinable
  public func peek(forKey key: Key) -> Entry<Value>? { inner.peek(forKey: key) }

  @inlinable
  func ordered<R>(
    _ scope: TurnScope<Key>, reads: Bool = false, _ body: () throws -> R
  ) throws -> R {
    defer { if !reads { meetingPoint.deliver() } }
    return try meetingPoint.order.withTurn(scope, reads: reads, body)
  }

  /// Reads what is stored, or `nil`; what is at hand without waiting for a turn.
  @inlinable
  public func entryIfPresent(forKey key: Key) throws -> Entry<Value>? {
    if let entry = inner.peek(forKey: key), !entry.expiry.isExpired(by: clock) { return entry }
    return try readInTurn(key)
  }

  /// Reads what is stored when the turn of the key has come.
  @inlinable
  package func readInTurn(_ key: Key) throws -> Entry<Value>? {
    try ordered(.key(key), reads: true) { try inner.entryIfPresent(forKey: key) }
  }

  /// Runs an operation in the turn of a key, if nobody has it; `nil` if it would have to wait.
  @inlinable
  package func ifFree<R>(_ key: Key, _ operation: (borrowing Inner) throws -> R) throws -> R? {
    defer { meetingPoint.deliver() }
    return try meetingPoint.order.ifFree(key) { try operation(inner) }
  }

  /// Stores a value when its turn has come.
  @inlinable
  public func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    try ordered(.key(key)) { try inner.setObject(object, forKey: key, expiry: expiry) }
  }

  /// Stores a changed value as the store below does, when its turn has come.
  public func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    try ordered(.key(key)) { try inner.replaceObject(object, forKey: key, expiry: expiry) }
  }

  /// Removes what is stored under a key when its turn has come.
  @inlinable
  public func removeObject(forKey key: Key) throws {
    try ordered(.key(key)) { try inner.removeObject(forKey: key) }
  }

  /// Removes everything; runs alone.
  public func removeAll() throws { try ordered(.everything) { try inner.removeAll() } }

  /// Removes what has expired, beside other operations: an entry that has expired is nobody's to write.
  ///
  /// Only keys with observers are taken meanwhile, so that a removal is not reported after a newer write.
  public func removeExpiredObjects() throws {
    try ordered(TurnScope(meetingPoint.observers.watchedKeys)) { try inner.removeExpiredObjects() }
  }

  /// The keys of all that is stored.
  public func keys() throws -> [Key] { try inner.keys() }

  /// The expiry of what is stored, or `nil`.
  public func expiryIfPresent(forKey key: Key) throws -> Expiry? {
    try ordered(.key(key), reads: true) { try inner.expiryIfPresent(forKey: key) }
  }

  /// What the store below can say without waiting, if the turn of the key comes at once.
  public func entryAtHand(forKey key: Key) -> AtHand<Entry<Value>> {
    AtHand { try meetingPoint.order.atOnce(key) { try inner.entryAtHand(forKey: key).get() } }
  }

  /// The expiry that the store below can tell without waiting, if the turn of the key comes at once.
  public func expiryAtHand(forKey key: Key) -> AtHand<Expiry> {
    AtHand { try meetingPoint.order.atOnce(key) { try inner.expiryAtHand(forKey: key).get() } }
  }

  /// Stores a value if the turn of the key comes at once, the store below need not wait, and nobody observes: an
  /// observer may take its time.
  public func setObjectAtOnce(_ object: Value, forKey key: Key, expiry: Expiry?) throws -> Bool {
    guard meetingPoint.observers.isEmpty else { return false }
    return try meetingPoint.order.ifFree(key) {
      try inner.setObjectAtOnce(object, forKey: key, expiry: expiry)
    } ?? false
  }

  /// Forgets what memory holds of a key.
  public func removeInMemoryObject(forKey key: Key) throws {
    try ordered(.key(key)) { try inner.removeInMemoryObject(forKey: key) }
  }

  /// Reads many keys when the turn of all has come.
  public func entries(forKeys keys: [Key]) throws -> [Key: Entry<Value>] {
    try ordered(TurnScope(keys), reads: true) { try inner.entries(forKeys: keys) }
  }

  /// Stores many values when the turn of all keys has come.
  @inlinable
  public func setObjects(_ objects: [Key: Value], expiry: Expiry?) throws {
    try ordered(TurnScope(objects.keys)) { try inner.setObjects(objects, expiry: expiry) }
  }

  /// Removes many when the turn of all keys has come.
  public func removeObjects(forKeys keys: [Key]) throws {
    try ordered(TurnScope(keys)) { try inner.removeObjects(forKeys: keys) }
  }
}

extension SyncStorage: SyncUpdateableStorage {
  /// Reads a value, changes it and stores it, as one operation, and returns what it stored. The expiry stays.
  ///
  /// Throws `.notFound` where there is no value. If `modify` throws, nothing is changed. `modify` runs while the key is
  /// taken: it may use other keys, but to write this one throws `.deadlock`.
  @discardableResult
  public func update(forKey key: Key, _ modify: (inout Value) throws -> Void) throws -> Value {
    try ordered(.key(key)) { try inner.readModifyWrite(forKey: key, modify) }
  }
}

extension SyncStorage: SyncConditionalStorage {
  /// Stores a value if none is stored under the key, or only one that has expired. Returns whether it was stored.
  ///
  /// Atomic for all over the same store in this process; for other processes where the store below is a
  /// `ConditionalStorage`.
  public func setIfAbsent(_ object: Value, forKey key: Key, expiry: Expiry?) throws -> Bool {
    try ordered(.key(key)) { try inner.storeIfAbsent(object, forKey: key, expiry: expiry) }
  }

  /// Changes the expiry of a stored value; `false` if nothing is stored, or what has expired. Atomic as `setIfAbsent`
  /// is.
  public func touch(forKey key: Key, expiry: Expiry) throws -> Bool {
    try ordered(.key(key)) { try inner.changeExpiry(forKey: key, to: expiry) }
  }
}

extension SyncStorage {
  /// The same store seen as another type, in the same order.
  public func transform<Below, Seen, U: Sendable>(
    to transformer: Transformer<U>
  ) -> SyncStorage<TypeWrapperStorage<Below, U>> where Inner == TypeWrapperStorage<Below, Seen> {
    SyncStorage<TypeWrapperStorage<Below, U>>(inner.transform(to: transformer), hub: meetingPoint)
  }

  /// The same store seen as another type, as JSON, in the same order: with the steps over the bytes, `.zlib()` say,
  /// that this one has.
  public func transform<Below, Seen, U: Codable & Sendable>(
    to type: U.Type
  ) -> SyncStorage<TypeWrapperStorage<Below, U>> where Inner == TypeWrapperStorage<Below, Seen> {
    transform(to: inner.transformer.retyped(as: type))
  }
}
