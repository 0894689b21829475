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
  /// The same store for tasks: its callers suspend, and share loads with callers of this one.
  public let async: LoadingStorage<Key, Value>
  private let executor: PoolExecutor

  /// Creates a store of its asynchronous form, which gets the threads that run its loads.
  @usableFromInline
  init(_ async: (any TaskExecutor) -> LoadingStorage<Key, Value>) {
    executor = PoolExecutor(pool: BlockingPool(width: 64))
    self.async = async(executor)
  }

  /// Creates a synchronous loading store over a store of entries. `syncLoading(_:_:)` does so for any store.
  @inlinable
  public convenience init(
    _ base: some SyncStorageAware<Key, Cached<Value>>, _ policy: LoadPolicy = LoadPolicy(),
    clock: any Clock<Duration> = ContinuousClock(), generations: Generations = Generations(),
    load: @escaping @Sendable (LoadRequest<Key, Value>) throws -> Loaded<Value>
  ) {
    self.init(over: base, policy, clock: clock, generations: generations, load: load)
  }

  /// Creates a synchronous loading store over a store whose functions are `async` but block.
  @inlinable
  convenience init(
    over base: some StorageAware<Key, Cached<Value>>, _ policy: LoadPolicy, clock: any Clock<Duration>,
    generations: Generations, load: @escaping @Sendable (LoadRequest<Key, Value>) throws -> Loaded<Value>
  ) {
    self.init { executor in
      LoadingStorage(
        base, policy, clock: clock, generations: generations, loader: .one { try load($0) },
        executor: executor)
    }
  }

  private func block<R: Sendable>(
    _ body: @escaping @Sendable (LoadingStorage<Key, Value>) async throws -> R
  ) throws -> R {
    try executor.block(Key.self) { [async] in try await body(async) }
  }

  /// The inner store.
  public var wrappedStorages: [any StorageDesign] { [async] }
  /// The clock of the inner store.
  public var clock: StorageClock { async.clock }
  /// The invalidation source of the inner store.
  public var invalidationSource: InvalidationSource<Key>? { async.invalidationSource }
  /// Returns the entry in memory if it is usable at once.
  public func peek(forKey key: Key) -> Entry<Value>? { async.peek(forKey: key) }

  /// Returns a value, and loads it if none is stored or it is stale. Throws `.notFound` if there is none.
  @inlinable
  public func object(forKey key: Key) throws -> Value {
    if let object = async.freshObject(key) { return object }
    return try loadedObject(key)
  }

  @usableFromInline
  func loadedObject(_ key: Key) throws -> Value { try block { try await $0.loadedObject(key) } }

  /// Returns a value, and loads it if none is stored or it is stale; `nil` if there is none.
  @inlinable
  public func objectIfPresent(forKey key: Key) throws -> Value? {
    if let object = async.freshObject(key) { return object }
    return try objectOrAbsence(key)
  }

  @usableFromInline
  func objectOrAbsence(_ key: Key) throws -> Value? { try block { try await $0.objectOrAbsence(key) } }

  /// Returns an entry, and loads it if none is stored or it is stale. The expiry of a stale value has passed. If only
  /// the expiry is wanted, loads nothing.
  public func read(_ key: Key, _ how: How) throws -> Entry<Value>? {
    if how.contains(.quietly) { return peek(forKey: key) }
    if how.contains(.atOnce) { return try peeked(key) }
    return try block { try await $0.read(key, how) }
  }

  /// Reads many keys, and loads the missing ones concurrently.
  public func read(_ keys: [Key], _ how: How) throws -> [Key: Entry<Value>] {
    if !how.allowsBatch { return try readEach(keys, how) }
    return try block { try await $0.read(keys, how) }
  }

  /// Returns at most `limit` keys of fresh values after a cursor; loads nothing.
  public func list(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<Key> {
    try block { try await $0.list(after: cursor, limit: limit) }
  }

  /// Stores or removes a value. An in-flight load of the key stores nothing.
  @discardableResult
  public func change(_ key: Key, _ change: StoreChange<Value>, _ how: How) throws -> Bool {
    try how.refuseAtOnce()
    return try block { try await $0.change(key, change, how) }
  }

  /// Stores or removes many values.
  public func change(_ batch: StoreBatch<Key, Value>, _ how: How) throws {
    try how.refuseAtOnce()
    try block { try await $0.change(batch, how) }
  }

  /// Removes everything, or values that have expired in the inner store.
  public func clear(_ extent: StoreExtent) throws { try block { try await $0.clear(extent) } }

  /// Loads a value now, fresh or not, and returns it.
  @discardableResult
  public func refresh(forKey key: Key) throws -> Value { try block { try await $0.refresh(forKey: key) } }

  /// Makes the value of a key stale.
  public func expire(forKey key: Key) throws { try block { try await $0.expire(forKey: key) } }

  /// Makes all values stale.
  public func expireAll() throws { try block { try await $0.expireAll() } }

  /// Removes all values with a tag.
  public func remove(tagged tag: Tag) throws { try block { try await $0.remove(tagged: tag) } }

  /// Removes all values with the tag of this name.
  @_disfavoredOverload
  public func remove(tagged name: String) throws { try remove(tagged: Tag(name)) }
}

extension SyncLoadingStorage {
  /// With `await`, an operation may suspend.
  public var traits: StoreTraits { .suspending }
}
