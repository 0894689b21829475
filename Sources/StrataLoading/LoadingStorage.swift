public import StrataCore

/// A store that loads missing values. Concurrent misses on one key share a single load.
///
/// `loading(_:_:)` of any store returns one. Reads return a fresh stored value, or wait for the loader. A `LoadPolicy`
/// sets how long values are fresh, which stale values replace a failed load, how long callers wait, and when values are
/// refreshed ahead.
///
/// ```swift
/// let users = storage.loading(LoadPolicy(freshFor: .seconds(300), staleFor: .seconds(86_400))) { request in
///   .value(try await database.user(request.key))
/// }
/// let user = try await users.object(forKey: id)
/// ```
///
/// - A load runs in a task of its own. It is cancelled when all of its callers are cancelled.
/// - A key that is written, removed or expired during its load, through any loading store over this inner store, stays
///   so: the loaded value is returned to the waiting callers and not stored, and later callers start a new load.
/// - Loading a key inside its own load, directly or through other keys, throws `.deadlock`.
/// - A failing inner store counts as empty: the loader is called, and an event reports the failure. The loaded value is
///   stored only if the inner store has none by then: a value that another process has stored meanwhile stays. An entry
///   that can be read but not decoded is replaced.
///
/// A fresh value in memory is returned without suspending.
public final class LoadingStorage<Key: Hashable & Sendable, Value: Sendable>: StorageAware {
  let engine: LoadEngine<Key, Value>
  /// The reads of the memory tier of the inner store; compiled for the type of that store.
  @usableFromInline let memory: CachedMemory<Key, Value>
  @usableFromInline let hits: HitCounter

  /// Creates a loading store over a store of entries. `loading(_:_:)` does so for any store.
  ///
  /// - Parameters:
  ///   - base: the inner store.
  ///   - policy: how long values are fresh and kept, and what happens when loads are slow or fail.
  ///   - clock: the clock of timeouts. Freshness uses the clock of the store.
  ///   - generations: the generations of tags; shared ones work across processes.
  ///   - load: loads the value of one key.
  @inlinable
  public convenience init(
    _ base: some StorageAware<Key, Cached<Value>>, _ policy: LoadPolicy = LoadPolicy(),
    clock: any Clock<Duration> = ContinuousClock(), generations: Generations = Generations(),
    load: @escaping @Sendable (LoadRequest<Key, Value>) async throws -> Loaded<Value>
  ) {
    self.init(base, policy, clock: clock, generations: generations, loader: .one(load))
  }

  /// Creates a loading store with a loader of many keys. `loading(_:many:)` does so for any store.
  @inlinable
  public convenience init(
    _ base: some StorageAware<Key, Cached<Value>>, _ policy: LoadPolicy = LoadPolicy(),
    clock: any Clock<Duration> = ContinuousClock(), generations: Generations = Generations(),
    many load: @escaping @Sendable ([LoadRequest<Key, Value>]) async throws -> [Key: Loaded<Value>]
  ) {
    self.init(base, policy, clock: clock, generations: generations, loader: .many(load))
  }

  /// - Parameter executor: runs the loads; `nil` for Swift's default executor.
  @inlinable
  convenience init(
    _ base: some StorageAware<Key, Cached<Value>>, _ policy: LoadPolicy, clock: any Clock<Duration>,
    generations: Generations, loader: Loader<Key, Value>, executor: (any TaskExecutor)? = nil
  ) {
    self.init(
      any: base, policy, clock: clock, generations: generations, loader: loader, executor: executor,
      memory: CachedMemory(of: base, generations))
  }

  @usableFromInline
  init(
    any base: any StorageAware<Key, Cached<Value>>, _ policy: LoadPolicy, clock: any Clock<Duration>,
    generations: Generations, loader: Loader<Key, Value>, executor: (any TaskExecutor)?,
    memory: CachedMemory<Key, Value>
  ) {
    engine = LoadEngine(
      base, policy: policy, clock: clock, generations: generations, loader: loader, executor: executor)
    self.memory = memory
    hits = engine.reporter.hits
  }

  /// The rules for freshness, waiting, refreshing and failures.
  public var policy: LoadPolicy { engine.policy }
  /// The inner store.
  public var wrappedStorages: [any StorageDesign] { [shown(engine.base)] }
  /// The clock of the inner store.
  public var clock: StorageClock { engine.dates }
  /// The invalidation source of the inner store, or `nil` if it has none. It also reports removals by tag and
  /// `expireAll()` of this process, and those of others if the store of the generations reports changes.
  public var invalidationSource: InvalidationSource<Key>? { engine.invalidationSource }

  /// The counters since the store was created.
  public var statistics: LoadStatistics { engine.reporter.statistics }
  /// The number of in-flight loads.
  public var loadsInFlight: Int { engine.flights.count }

  /// Returns the value in memory if it is usable at once, and counts a hit.
  @inlinable
  func freshObject(_ key: Key) -> Value? {
    guard let value = memory.object(key) else { return nil }
    if hits.add() { tellHit(key) }
    return value
  }

  @usableFromInline
  func tellHit(_ key: Key) { engine.reporter.tellHit(key) }
}

/// The policy, and not the inner store, determines how long a value is valid.
extension LoadingStorage: CountingTier {
  /// The shortest time for which a value is fresh that is stored without an expiry.
  public var traits: StoreTraits {
    var traits = StoreTraits(ownExpiry: policy.shortestFreshTime)
    traits.tiers = [StorageTier(store: self, reporter: engine.reporter.tier)] + engine.base.tiers
    return traits
  }

  package func count(into tier: inout TierStatistics) {
    let own = statistics
    tier.hits = own.hits + own.absentHits + own.staleHits
    tier.misses = own.misses
    tier.failures = own.failedLoads
    tier.readTimes = own.loadTimes
  }
}

/// An event of a store that loads: `LoadingStorage.events` has those of its loads and of its tiers.
public typealias LoadEvent<Key: Sendable> = StorageEvent<Key>
