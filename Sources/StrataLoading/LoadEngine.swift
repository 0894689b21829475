#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore
import Synchronization

/// What a loading store consists of: the store below, the loads in flight, and what is known of keys that failed.
final class LoadEngine<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  typealias Loads = Flights<Key, LoadResult<Value>>

  let base: any StorageAware<Key, Cached<Value>>
  let policy: LoadPolicy
  /// What timeouts sleep on.
  let clock: any Clock<Duration>
  /// What freshness is told by.
  let dates: StorageClock
  let generations: Generations
  let loader: Loader<Key, Value>

  let flights: Loads
  /// The order of writes: a load looks whether it was overtaken and stores its value as one operation.
  let order = KeyOrder<Key>()
  let failures = LoadFailures<Key>()
  let reporter = LoadReporter<Key>()
  let removedTags = TagRemovals()
  let background: BackgroundLoads
  /// What grants leases to the processes that share the store below, if policy asks for it and a store does.
  let leases: (any StorageLeasing<Key>)?
  let gatherer = RefreshGatherer<Key, Value>()
  /// How often anything was written or removed: what a caller has seen before is to be looked for again after it.
  let changes = Atomic(0)

  init(
    _ base: any StorageAware<Key, Cached<Value>>, policy: LoadPolicy, clock: any Clock<Duration>,
    generations: Generations, loader: Loader<Key, Value>, executor: (any TaskExecutor)? = nil
  ) {
    flights = Loads(on: executor)
    self.base = base
    self.policy = policy
    self.clock = clock
    self.generations = generations
    self.loader = loader
    dates = base.clock
    leases = policy.lease == .none ? nil : base.leases
    background = BackgroundLoads(limit: policy.backgroundLimit)
  }

  /// Seconds since the reference date.
  var now: Double { dates.now.timeIntervalSinceReferenceDate }

  /// What an entry is good for. If the generations cannot be read, it is stale.
  func freshness(of cached: Cached<Value>, _ key: Key) async throws -> Freshness {
    do {
      for mark in cached.details?.tags ?? [] where try await generation(mark.tag.name) != mark.generation {
        return .gone
      }
      let required = try await generation("")
      if let required, required != 0, required != cached.generation { return .stale }
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

  /// The generation under a name; that of everything is made if there is none.
  func generation(_ name: String) async throws -> UInt64? {
    let cached = name.isEmpty ? generations.requiredCached : generations.cached(name)
    if case .found(let generation) = cached { return generation }
    return try await generations.generation(name, makes: name.isEmpty)
  }

  /// Until when the value of an entry is fresh.
  func expiry(of cached: Cached<Value>) -> Expiry {
    let end = policy.end(of: cached)
    return end == .infinity ? .never : .date(Date(timeIntervalSinceReferenceDate: end))
  }
}
