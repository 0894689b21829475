import StrataAlgebra
import StrataCore
import Synchronization

extension LoadEngine {
  typealias Reason = LoadRequest<Key, Value>.Reason
  typealias Planned = PlannedLoad<Key, Value>

  /// Starts loads, each in a separate task or, with a loader of many keys, up to `bulkLimit` in one task.
  func launch(_ loads: [Planned], in place: LoadPlace) {
    for part in parts(of: loads) { launch(part, in: place) }
  }

  /// Loads that share one call of the loader.
  typealias Part = (id: FlightID, loads: [Planned])

  /// Groups loads by calls of the loader.
  func parts(of loads: [Planned]) -> [Part] {
    let size = loader.isForMany ? max(policy.bulkLimit, 1) : 1
    return loads.parts(of: size).map { part in
      (part.count == 1 ? part[part.startIndex].flight : FlightID(), Array(part))
    }
  }

  /// Starts loads that share one call of the loader.
  func launch(_ part: Part, in place: LoadPlace) {
    background.begin(part.id)
    flights.start(part.loads.map(\.flight), as: part.id) { [self] in
      let watch = watch(part)
      defer {
        watch?.cancel()
        background.end(part.id)
      }
      if case .shared(let time) = policy.lease, let leases {
        try await run(part.loads, under: LeaseKeeper(leases, time), in: place)
      } else {
        try await run(part.loads, in: place)
      }
    }
  }

  /// Counts loads as lost that have run too long.
  private func watch(_ part: Part) -> Task<Void, Never>? {
    guard case .abandon(let time) = policy.afterTimeout else { return nil }
    return startTimer(time, on: clock) { [self] in
      for planned in part.loads { abandon(planned.flight, planned.key, after: time) }
    }
  }

  /// Counts the load of a key as lost if it still runs long after a caller has stopped waiting for it. Called before a
  /// caller would join it, so that no timer is needed.
  func abandonHung(_ key: Key) {
    if case .abandon = policy.afterTimeout { return }
    let time = AfterTimeout.patience
    // A load that has ended must not count as lost for good.
    if let flight = failures.overdue(key, time), !flights.isOvertaken(flight) {
      abandon(flight, key, after: time)
    }
  }

  /// Lets the next caller load anew. Callers that still wait get a stale value, or an error.
  private func abandon(_ flight: FlightID, _ key: Key, after time: Duration) {
    guard background.lose(flights.load(of: flight)) else { return }
    let reached = LoadTimeoutReached(kind: .hard, limit: time, isLost: true)
    if flights.abandon(flight, throwing: reached) { reporter.report(.abandoned, key) }
  }

  /// Runs loads and completes their in-flight entries.
  ///
  /// - Parameter leases: the leases under which the values are stored.
  func run(_ planned: [Planned], leases: [Key: StorageLease] = [:], in place: LoadPlace) async throws {
    let loads = try await stillNeeded(planned)
    guard !loads.isEmpty else { return }
    var start = LoadStart<Key>(
      began: now, removals: generations.removals.last,
      changes: changes.load(ordering: .sequentiallyConsistent))
    if loader.isForMany { overlaps.begin(start.call) }
    defer { overlaps.end(start.call) }
    do {
      start.generation = try await generation("") ?? 0
      start.sharedRemovals = try await generations.sharedRemovals()
      let named: [Tag] = namedTags.withLock { named in
        loads.flatMap { load -> Set<Tag> in named.removeValue(forKey: load.key) ?? [] }
      }
      for tag in Set(loads.flatMap { $0.seen?.tags ?? [] } + named) {
        start.tags[tag] = try await generation(tag.name)
      }
    } catch {
      if Task.isCancelled { throw error }
      reporter.report(.storeFailed(error), loads[0].key)
    }
    let stopwatch = startStopwatch(clock)
    var loaded: [Key: Loaded<Value>]
    do {
      // The first caller may read to change the value. The others that share the load do not.
      loaded = try await ReadingToChange.$isActive.binding(false) {
        try await reporter.tier.tracers.trace(
          StorageOperation(
            "load", tier: reporter.tier.name, count: loads.count, isInBackground: place == .background)
        ) { try await loader(loads.map(request)) }
      }
    } catch {
      if Task.isCancelled { throw error }
      loaded = Dictionary(uniqueKeysWithValues: loads.map { ($0.key, .failed(error)) })
    }
    start.time = stopwatch()
    start.leases = leases
    await land(loaded, of: loads, start, in: place)
  }

  /// Completes the loads whose values others have stored meanwhile, and returns the remaining ones.
  func stillNeeded(_ planned: [Planned]) async throws -> [Planned] {
    let looking = planned.filter(\.looksAgain).map(\.key)
    if looking.isEmpty { return planned }
    let found = try await lookUp(looking)
    var needed: [Planned] = []
    for var load in planned {
      if load.looksAgain {
        let stored = found[load.key] ?? (nil, false)
        load.isUnread = stored.isUnread
        if let other = stored.cached {
          switch try await freshness(of: other, load.key) {
          case .due where load.reason == .ahead: load.seen = other
          case .fresh, .due:
            flights.end(load.flight, with: .success(.entry(other)))
            continue
          case .stale: load.seen = other.value == nil ? nil : other
          case .gone: load.seen = nil
          }
        } else if !stored.isUnread {
          load.seen = nil
        }
      }
      needed.append(load)
    }
    return needed
  }

  private func request(_ load: Planned) -> LoadRequest<Key, Value> {
    let hasStale = load.seen != nil
    let limit = hasStale && policy.softTimeout != nil ? policy.softTimeout : policy.hardTimeout
    return LoadRequest(
      key: load.key, reason: load.reason, stale: load.seen?.value, validator: load.seen?.validator,
      deadline: load.reason == .ahead ? nil : limit.map { .now + $0 },
      attempt: failures.count(load.key) + 1)
  }
}

/// The state when a load began.
struct LoadStart<Key: Hashable & Sendable>: Sendable {
  /// Identifies the call of the loader.
  let call = FlightID()
  /// Seconds since the reference date.
  let began: Double
  /// The number of the last removal of a tag before the load.
  let removals: Int
  /// The mark of the last removal by any machine that shares the generations; `nil` if it could not be read.
  var sharedRemovals: UInt64?
  /// The number of writes and removals before the load.
  let changes: Int
  var generation: UInt64 = 0
  var tags: [Tag: UInt64] = [:]
  /// The leases of the load.
  var leases: [Key: StorageLease] = [:]
  /// The duration of the load.
  var time: Duration = .zero
}
