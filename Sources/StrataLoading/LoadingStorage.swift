#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
public import StrataCore

/// A store that loads what is not stored: callers that miss one key at a time share a single load.
///
/// `loading(_:_:)` of any store makes one. It is a `StorageAware` like any other: reads return a value that is stored
/// and fresh, or wait for the loader; a `LoadPolicy` says how long values are fresh, what stands in for a failure, how
/// long callers wait, and when values are refreshed before anyone waits.
///
/// ```swift
/// let users = storage.loading(LoadPolicy(freshFor: .seconds(300), staleFor: .seconds(86_400))) { request in
///   .value(try await database.user(request.key))
/// }
/// let user = try await users.object(forKey: id)
/// ```
///
/// - A load runs in a task of its own. The first caller's cancellation does not end it, the last caller's does.
/// - What is written, removed or expired through this store while its key is loaded stays so: the loaded value is only
///   returned to those who wait, and who comes later starts a new load. Several loading stores over one store do not
///   know of each other's loads.
/// - To load a key inside its own load, directly or through other keys, throws `.deadlock`.
/// - A store below that fails counts as empty: the loader is asked, and an event tells of the failure.
///
/// A fresh value in memory is returned without suspending.
public final class LoadingStorage<Key: Hashable & Sendable, Value: Sendable>: StorageAware {
  let engine: LoadEngine<Key, Value>
  /// Returns the entry that the store below has in memory. Compiled for the type of that store.
  @usableFromInline let peekBelow: @Sendable (Key) -> Entry<Cached<Value>>?
  @usableFromInline let freshness: CachedFreshness
  @usableFromInline let hits: HitCounter

  /// Makes one over a store of entries; `loading(_:_:)` does it for stores of any kind.
  ///
  /// - Parameters:
  ///   - base: where values are kept, with the time until which they are fresh.
  ///   - clock: what timeouts sleep on. Freshness is told by the clock of the store.
  ///   - generations: what makes tags and `expireAll` work among processes.
  @inlinable
  public convenience init(
    _ base: some StorageAware<Key, Cached<Value>>, _ policy: LoadPolicy = LoadPolicy(),
    clock: any Clock<Duration> = ContinuousClock(), generations: Generations = Generations(),
    load: @escaping @Sendable (LoadRequest<Key, Value>) async throws -> Loaded<Value>
  ) {
    self.init(base, policy, clock: clock, generations: generations, loader: .one(load))
  }

  /// Makes one whose loader takes many keys at once; `loading(_:many:)` does it for stores of any kind.
  @inlinable
  public convenience init(
    _ base: some StorageAware<Key, Cached<Value>>, _ policy: LoadPolicy = LoadPolicy(),
    clock: any Clock<Duration> = ContinuousClock(), generations: Generations = Generations(),
    many load: @escaping @Sendable ([LoadRequest<Key, Value>]) async throws -> [Key: Loaded<Value>]
  ) {
    self.init(base, policy, clock: clock, generations: generations, loader: .many(load))
  }

  @inlinable
  convenience init(
    _ base: some StorageAware<Key, Cached<Value>>, _ policy: LoadPolicy, clock: any Clock<Duration>,
    generations: Generations, loader: Loader<Key, Value>
  ) {
    self.init(
      any: base, policy, clock: clock, generations: generations,
      peek: { base.peek(forKey: $0) }, loader: loader)
  }

  @usableFromInline
  init(
    any base: any StorageAware<Key, Cached<Value>>, _ policy: LoadPolicy, clock: any Clock<Duration>,
    generations: Generations, peek: @escaping @Sendable (Key) -> Entry<Cached<Value>>?,
    loader: Loader<Key, Value>,
    executor: (any TaskExecutor)? = nil
  ) {
    engine = LoadEngine(
      base, policy: policy, clock: clock, generations: generations, loader: loader, executor: executor)
    peekBelow = peek
    freshness = CachedFreshness(dates: engine.dates, generations: generations)
    hits = engine.reporter.hits
  }

  /// How it waits, keeps, refreshes and forgives.
  public var policy: LoadPolicy { engine.policy }
  /// The store below.
  public var wrappedStorages: [any StorageDesign] { [engine.base] }
  /// The clock of the store below.
  public var clock: StorageClock { engine.dates }
  /// That of the store below.
  public var invalidationSource: InvalidationSource<Key>? { engine.base.invalidationSource }

  /// What was done since the store was made.
  public var statistics: LoadStatistics { engine.reporter.statistics }
  /// How many loads are in flight.
  public var loadsInFlight: Int { engine.flights.count }

  /// What is done from now on. A reader that falls behind by more than 1024 events loses the oldest of them.
  public var events: AsyncStream<LoadEvent<Key>> { engine.reporter.events(keeping: 1024) }

  /// The entry in memory if it can be returned at once: fresh, not removed by a tag, not to be refreshed.
  @usableFromInline
  func freshCached(_ key: Key) -> Cached<Value>? {
    guard let entry = peekBelow(key), freshness.isGood(entry.object, kept: entry.expiry) else { return nil }
    return entry.object.ending(entry.expiry)
  }

  /// The value in memory if it can be returned at once, counted as a hit.
  @inlinable
  func freshObject(_ key: Key) -> Value? {
    guard let entry = peekBelow(key), let value = entry.object.value,
      freshness.isFresh(until: entry.object.due, kept: entry.expiry, entry.object.generation),
      entry.object.box == nil || freshness.hasValidTags(entry.object)
    else { return nil }
    if hits.add() { tellHit(key) }
    return value
  }

  @usableFromInline
  func tellHit(_ key: Key) { engine.reporter.tellHit(key) }
}
