#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore
import Synchronization

/// What a loading store consists of: the store below, the loads in flight, and what is known of keys that failed.
final class LoadEngine<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  typealias Load = @Sendable (LoadRequest<Key, Value>) async throws -> Loaded<Value>
  typealias Loads = Flights<Key, LoadResult<Value>>

  let base: any StorageAware<Key, Cached<Value>>
  let policy: LoadPolicy
  /// What timeouts sleep on.
  let clock: any Clock<Duration>
  /// What freshness is told by.
  let dates: StorageClock
  let generations: Generations
  let load: Load

  let flights = Loads()
  /// The order of writes: a load looks whether it was overtaken and stores its value as one operation.
  let order = KeyOrder<Key>()
  let failures = LoadFailures<Key>()
  let reporter = LoadReporter<Key>()
  let removedTags = TagRemovals()
  let background: BackgroundLoads
  /// How often anything was written or removed: what a caller has seen before is to be looked for again after it.
  let changes = Atomic(0)

  init(
    _ base: any StorageAware<Key, Cached<Value>>, policy: LoadPolicy, clock: any Clock<Duration>,
    generations: Generations, load: @escaping Load
  ) {
    self.base = base
    self.policy = policy
    self.clock = clock
    self.generations = generations
    self.load = load
    dates = base.clock
    background = BackgroundLoads(limit: policy.backgroundLimit)
  }

  /// Seconds since the reference date.
  var now: Double { dates.now.timeIntervalSinceReferenceDate }

  // MARK: What is stored

  /// Reads the store below. What fails or takes too long there, is nothing: the loader is asked.
  func lookUp(_ key: Key) async throws -> Cached<Value>? {
    do {
      return try await stored(key)
    } catch {
      if Task.isCancelled { throw error }
      reporter.report(.storeFailed(error), key)
      return nil
    }
  }

  private func stored(_ key: Key) async throws -> Cached<Value>? {
    let entry: Entry<Cached<Value>>?
    if let known = base.peek(forKey: key), !known.expiry.isExpired(by: dates) {
      entry = known
    } else if let limit = policy.storeTimeout {
      entry = try await withTimeLimit(
        limit, on: clock,
        throwing: StorageError.timedOut.with("the store below took longer than \(limit)", key: key)
      ) { [base] in try await base.entryIfPresent(forKey: key) }
    } else {
      entry = try await base.entryIfPresent(forKey: key)
    }
    guard let entry, !entry.expiry.isExpired(by: dates) else { return nil }
    return entry.object.ending(entry.expiry)
  }

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
    let atHand = name.isEmpty ? generations.requiredAtHand : generations.atHand(name)
    if case .found(let generation) = atHand { return generation }
    return try await generations.generation(name, makes: name.isEmpty)
  }

  /// Until when the value of an entry is fresh.
  func expiry(of cached: Cached<Value>) -> Expiry {
    let end = policy.end(of: cached)
    return end == .infinity ? .never : .date(Date(timeIntervalSinceReferenceDate: end))
  }
}

/// Which loads run that nobody waits for.
final class BackgroundLoads: Sendable {
  private let flights = Locked<Set<FlightID>>([])
  private let lost = Locked<Set<FlightID>>([])
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  /// Counts a load as one in the background, unless there are as many as there may be.
  func add(_ flight: FlightID) -> Bool { Self.add(flight, to: flights, limit: limit) }
  /// Counts a load as lost, unless there are as many as there may be.
  func lose(_ flight: FlightID) -> Bool { Self.add(flight, to: lost, limit: limit) }

  func contains(_ flight: FlightID) -> Bool { flights.withLock { $0.contains(flight) } }

  func end(_ flight: FlightID) {
    flights.withLock { _ = $0.remove(flight) }
    lost.withLock { _ = $0.remove(flight) }
  }

  private static func add(_ flight: FlightID, to flights: borrowing Locked<Set<FlightID>>, limit: Int) -> Bool
  {
    flights.withLock { flights in
      if flights.contains(flight) { return true }
      guard flights.count < limit else { return false }
      flights.insert(flight)
      return true
    }
  }
}

/// Which tags were removed last, for loads that began before and end after.
final class TagRemovals: Sendable {
  private struct State: Sendable {
    var last = 0
    var removals: [Tag: Int] = [:]
    /// Removals up to this one are forgotten.
    var forgotten = 0
  }

  private let state = Locked(State())

  /// The number of the last removal.
  var last: Int { state.withLock { $0.last } }

  func add(_ tag: Tag) {
    state.withLock { state in
      if state.removals.count >= 10_000 {
        state.removals = [:]
        state.forgotten = state.last
      }
      state.last += 1
      state.removals[tag] = state.last
    }
  }

  /// Whether any of some tags may have been removed after a removal.
  func contains(_ tags: Set<Tag>, after mark: Int) -> Bool {
    state.withLock { state in
      if tags.isEmpty || state.last == mark { return false }
      return mark < state.forgotten || tags.contains { state.removals[$0, default: 0] > mark }
    }
  }
}
