#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
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
  /// Per-key ordering of writes: a load checks its version and stores its value in one turn.
  let order = KeyOrder<Key>()
  let failures = LoadFailures<Key>()
  let reporter = LoadReporter<Key>()
  let removedTags = TagRemovals()
  let background: BackgroundLoads
  /// The source of leases, if the policy requests them and an inner store grants them.
  let leases: (any StorageLeasing<Key>)?
  let gatherer = RefreshGatherer<Key, Value>()
  /// The number of writes and removals. A caller that sees it change reads the store again.
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

  /// Returns how an entry may be used. If the generations cannot be read, it counts as stale.
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

  /// Returns the generation under a name. The generation of the whole store is created if there is none.
  func generation(_ name: String) async throws -> UInt64? {
    let cached = name.isEmpty ? generations.requiredCached : generations.cached(name)
    if case .found(let generation) = cached { return generation }
    return try await generations.generation(name, makes: name.isEmpty)
  }

  /// Returns the end of an entry's freshness.
  func expiry(of cached: Cached<Value>) -> Expiry {
    let end = policy.end(of: cached)
    return end == .infinity ? .never : .date(Date(timeIntervalSinceReferenceDate: end))
  }
}
