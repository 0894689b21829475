#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
public import StrataCore

/// A `LoadingStorage` that is used without `await`: a blocking loader over a blocking store.
///
/// ```swift
/// let users = memory.syncLoading(LoadPolicy(freshFor: .seconds(300))) { request in
///   .value(try database.user(request.key))
/// }
/// let user = try users.object(forKey: id)
/// ```
///
/// The documentation of `LoadingStorage` applies. Loads run on their own threads, up to 64 at a time, so that timeouts
/// and refreshes work in the same way. A thread that waits for a load is blocked. Tasks should use `async`, the same
/// store with `await`: both share one load. A fresh value in memory is returned without changing threads.
///
/// Inside an operation of a store on the same thread, for example an `update`, only fresh values in memory can be read.
/// Any other read throws `.deadlock`.
public final class SyncLoadingStorage<Key: Hashable & Sendable, Value: Sendable>: SyncStorageAware {
  /// The same store, for tasks: its callers suspend, and share loads with those of this one.
  public let async: LoadingStorage<Key, Value>
  private let executor: BlockingExecutor

  @usableFromInline
  init(
    any base: any StorageAware<Key, Cached<Value>>, _ policy: LoadPolicy, clock: any Clock<Duration>,
    generations: Generations, peek: @escaping @Sendable (Key) -> Cached<Value>?,
    load: @escaping @Sendable (LoadRequest<Key, Value>) throws -> Loaded<Value>
  ) {
    let executor = BlockingExecutor()
    self.executor = executor
    async = LoadingStorage(
      any: base, policy, clock: clock, generations: generations, peek: peek, loader: .one { try load($0) },
      executor: executor)
  }

  /// Makes one over a store of entries; `syncLoading(_:_:)` does it for stores of any kind.
  @inlinable
  public convenience init(
    _ base: some SyncStorageAware<Key, Cached<Value>>, _ policy: LoadPolicy = LoadPolicy(),
    clock: any Clock<Duration> = ContinuousClock(), generations: Generations = Generations(),
    load: @escaping @Sendable (LoadRequest<Key, Value>) throws -> Loaded<Value>
  ) {
    self.init(
      any: base, policy, clock: clock, generations: generations,
      peek: { key in base.peek(forKey: key).map { $0.object.ending($0.expiry) } }, load: load)
  }

  private func block<R: Sendable>(
    _ body: @escaping @Sendable (LoadingStorage<Key, Value>) async throws -> R
  ) throws -> R {
    try executor.block(Key.self) { [async] in try await body(async) }
  }

  /// The store below.
  public var wrappedStorages: [any StorageDesign] { [async] }
  /// The clock of the store below.
  public var clock: StorageClock { async.clock }
  /// That of the store below.
  public var invalidationSource: InvalidationSource<Key>? { async.invalidationSource }
  /// What is in memory and can be returned as it is.
  public func peek(forKey key: Key) -> Entry<Value>? { async.peek(forKey: key) }

  /// Reads a value, and loads it where none is stored or it is not fresh; throws `.notFound` where there is none.
  public func object(forKey key: Key) throws -> Value {
    if let object = async.freshObject(key) { return object }
    return try block { try await $0.object(forKey: key) }
  }

  /// Reads a value, and loads it where none is stored or it is not fresh; `nil` where there is none.
  public func objectIfPresent(forKey key: Key) throws -> Value? {
    if let object = async.freshObject(key) { return object }
    return try block { try await $0.objectIfPresent(forKey: key) }
  }

  /// Reads a value, and loads it where none is stored or it is not fresh. The entry of a stale value has expired.
  public func entryIfPresent(forKey key: Key) throws -> Entry<Value>? {
    try block { try await $0.entryIfPresent(forKey: key) }
  }

  /// Until when the stored value is fresh, or `nil`; loads nothing.
  public func expiryIfPresent(forKey key: Key) throws -> Expiry? {
    try block { try await $0.expiryIfPresent(forKey: key) }
  }

  /// Reads many keys, and loads what is missing at the same time.
  public func entries(forKeys keys: [Key]) throws -> [Key: Entry<Value>] {
    try block { try await $0.entries(forKeys: keys) }
  }

  /// The keys of all values that are stored and fresh; loads nothing.
  public func keys() throws -> [Key] { try block { try await $0.keys() } }

  /// Returns at most `limit` keys of fresh values after a cursor; loads nothing.
  public func keyPage(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<Key> {
    try block { try await $0.keyPage(after: cursor, limit: limit) }
  }

  /// Stores a value. A load of the key that is in flight stores nothing.
  public func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws {
    try block { try await $0.setObject(object, forKey: key, expiry: expiry) }
  }

  /// Stores many values.
  public func setObjects(_ objects: [Key: Value], expiry: Expiry?) throws {
    try block { try await $0.setObjects(objects, expiry: expiry) }
  }

  /// Removes what is stored under a key, if anything is.
  public func removeObject(forKey key: Key) throws { try block { try await $0.removeObject(forKey: key) } }

  /// Removes what is stored under many keys.
  public func removeObjects(forKeys keys: [Key]) throws {
    try block { try await $0.removeObjects(forKeys: keys) }
  }

  /// Removes everything.
  public func removeAll() throws { try block { try await $0.removeAll() } }

  /// Removes what the store below does not keep any more.
  public func removeExpiredObjects() throws { try block { try await $0.removeExpiredObjects() } }

  /// Forgets what a memory tier below holds of a key.
  public func removeInMemoryObject(forKey key: Key) throws {
    try block { try await $0.removeInMemoryObject(forKey: key) }
  }

  /// Loads a value now, whether or not it is fresh, and returns it.
  @discardableResult
  public func refresh(forKey key: Key) throws -> Value { try block { try await $0.refresh(forKey: key) } }

  /// Makes the value of a key stale.
  public func expire(forKey key: Key) throws { try block { try await $0.expire(forKey: key) } }

  /// Makes all values stale.
  public func expireAll() throws { try block { try await $0.expireAll() } }

  /// Removes all values with a tag.
  public func remove(tagged tag: Tag) throws { try block { try await $0.remove(tagged: tag) } }
}
