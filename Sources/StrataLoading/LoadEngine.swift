import StrataCore
import Synchronization

/// The parts of a loading store: the inner store, the in-flight loads, and the keys whose loads failed.
final class LoadEngine<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  typealias Loads = Flights<Key, LoadResult<Value>>

  let base: any StorageAware<Key, Cached<Value>>
  let policy: LoadPolicy
  /// The clock of timeouts.
  let clock: any Clock<Duration>
  /// The clock of freshness.
  let dates: StorageClock
  let generations: Generations
  let loader: Loader<Key, Value>

  let flights: Loads
  /// The loading stores over the same inner store. They share the per-key ordering of writes: a load checks its
  /// version and stores its value in one turn.
  let siblings: LoadSiblings<Key>
  var order: KeyOrder<Key> { siblings.order }
  let failures = LoadFailures<Key>()
  let reporter = LoadReporter<Key>()
  /// The tags of results that were refused since another machine removed some tag: the next load of the key reads their
  /// generations before it begins.
  let namedTags = Locked<[Key: Set<Tag>]>([:])
  let background: BackgroundLoads
  /// The source of leases, if the policy requests them and an inner store grants them.
  let leases: (any StorageLeasing<Key>)?
  let gatherer = RefreshGatherer<Key, Value>()
  let overlaps = LoadOverlaps<Key>()
  /// The invalidation source of the inner store, which also reports replaced generations; `nil` if the inner store has
  /// none.
  let invalidationSource: InvalidationSource<Key>?
  /// The number of writes and removals. A caller that sees it change reads the store again.
  let changes = Atomic(0)

  init(
    _ base: any StorageAware<Key, Cached<Value>>, policy: LoadPolicy, clock: any Clock<Duration>,
    generations: Generations, loader: Loader<Key, Value>, executor: (any TaskExecutor)? = nil
  ) {
    flights = Loads(on: executor)
    self.base = Self.reported(base)
    self.policy = policy
    self.clock = clock
    self.generations = generations
    self.loader = loader
    dates = base.clock
    leases = policy.lease == .none ? nil : base.leases
    background = BackgroundLoads(limit: policy.backgroundLimit)
    invalidationSource = base.invalidationSource.map {
      InvalidationSource(of: [$0, generations.invalidations(of: Key.self)]) { $0 }
    }
    siblings = .of(base)
    siblings.add(ObjectIdentifier(self)) { [weak self] in self?.overtake($0) }
    generations.observers.add(ObjectIdentifier(self)) { [weak self] in await self?.tellObservers() }
  }

  deinit {
    siblings.remove(ObjectIdentifier(self))
    generations.observers.remove(ObjectIdentifier(self))
  }

  /// Records a change of keys: their in-flight loads are outdated and store nothing.
  private func overtake(_ scope: TurnScope<Key>) {
    // First: a load that is too late to be outdated then sees that it has to look again.
    changes.wrappingAdd(1, ordering: .sequentiallyConsistent)
    switch scope {
    case .key(let key):
      flights.overtake(key)
      failures.clear(key)
    case .keys(let keys):
      flights.overtake(keys)
      for key in keys { failures.clear(key) }
    case .everything:
      flights.overtakeAll()
      failures.clear()
    }
  }

  /// Seconds since the reference date.
  var now: Double { dates.secondsSinceReferenceDate }

  /// Returns how an entry may be used. If the generations cannot be read, it counts as stale.
  func freshness(of cached: Cached<Value>, _ key: Key) async throws -> Freshness {
    do {
      if let outdated = try await outdatedFreshness(of: cached) { return outdated }
    } catch {
      if Task.isCancelled { throw error }
      reporter.report(.storeFailed(error), key)
      return .stale
    }
    let now = now
    if policy.end(of: cached) <= now { return .stale }
    if now < cached.due { return .fresh }
    return policy.refreshes(cached, now: now, random: 1 - .random(in: 0..<1)) ? .due : .fresh
  }

  /// Returns `.gone` for an entry that was removed by a tag, `.stale` for one that `expireAll()` has made stale, and
  /// `nil` for any other.
  func outdatedFreshness(of cached: Cached<Value>) async throws -> Freshness? {
    for mark in cached.details?.tags ?? [] where try await generation(mark.tag.name) != mark.generation {
      return .gone
    }
    let required = try await generation("")
    if let required, required != 0, required != cached.generation { return .stale }
    return nil
  }

  /// Returns whether a load's result has been removed by a tag, or made stale by `expireAll()`, since the load began.
  /// If the generations cannot be read, it counts as valid.
  func isOutdated(_ cached: Cached<Value>, _ key: Key) async throws -> Bool {
    do {
      for mark in cached.details?.tags ?? [] {
        if mark.isRefused { return true }
        if try await generation(mark.tag.name) != mark.generation { return true }
      }
      guard cached.generation != 0, let required = try await generation("") else { return false }
      return required != 0 && required != cached.generation
    } catch {
      if Task.isCancelled { throw error }
      reporter.report(.storeFailed(error), key)
      return false
    }
  }

  /// Returns the generation under a name. The generation of the whole store is created if there is none.
  func generation(_ name: String) async throws -> UInt64? {
    let cached = name.isEmpty ? generations.requiredCached : generations.cached(name)
    if case .found(let generation) = cached { return generation }
    return try await generations.generation(name, makes: name.isEmpty)
  }

  /// Returns the end of an entry's freshness.
  func expiry(of cached: Cached<Value>) -> Expiry {
    Expiry(secondsSinceReferenceDate: policy.end(of: cached))
  }

  /// Returns a store whose operations are reported, if it is a single tier. Those of a chain report by themselves.
  private static func reported<Base: StorageAware<Key, Cached<Value>>>(
    _ base: Base
  ) -> any StorageAware<Key, Cached<Value>> {
    let tier = ReportedTier(base)
    return tier.reporter == nil ? base : tier
  }
}
