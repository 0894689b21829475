#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

extension LoadEngine {
  typealias Reason = LoadRequest<Key, Value>.Reason

  /// Starts the task of a flight.
  func launch(
    _ flight: FlightID, _ key: Key, _ reason: Reason, seen: Cached<Value>?, looksAgain: Bool,
    in place: LoadPlace
  ) {
    flights.start(flight) { [self] in
      let watch = watch(flight, key)
      defer {
        watch?.cancel()
        background.end(flight)
      }
      return try await run(flight, key, reason, seen: seen, looksAgain: looksAgain, in: place)
    }
  }

  /// Counts a load as lost when it has gone on too long.
  private func watch(_ flight: FlightID, _ key: Key) -> Task<Void, Never>? {
    guard case .abandon(let time) = policy.afterTimeout else { return nil }
    return startTimer(time, on: clock) { [self] in
      guard background.lose(flight) else { return }
      reporter.report(.abandoned, key)
      flights.abandon(
        flight, throwing: StorageError.timedOut.with("the load was given up after \(time)", key: key))
    }
  }

  private func run(
    _ flight: FlightID, _ key: Key, _ reason: Reason, seen: Cached<Value>?, looksAgain: Bool,
    in place: LoadPlace
  ) async throws -> LoadResult<Value> {
    var seen = seen
    if looksAgain, let other = try await lookUp(key) {
      switch try await freshness(of: other, key) {
      case .fresh, .due: return .entry(other)
      case .stale: seen = other.value == nil ? nil : other
      case .gone: seen = nil
      }
    }
    var start = LoadStart(began: now, removals: removedTags.last, hasStale: seen != nil)
    do {
      start.generation = try await generation("") ?? 0
      for tag in seen?.tags ?? [] { start.tags[tag] = try await generation(tag.name) }
    } catch {
      if Task.isCancelled { throw error }
      reporter.report(.storeFailed(error), key)
    }
    let stopwatch = startStopwatch(clock)
    let loaded: Loaded<Value>
    do {
      loaded = try await load(request(key, reason, seen: seen))
    } catch {
      if Task.isCancelled { throw error }
      loaded = .failed(error)
    }
    start.time = stopwatch()
    return try await land(loaded, key, of: flight, seen: seen, start, in: place)
  }

  private func request(_ key: Key, _ reason: Reason, seen: Cached<Value>?) -> LoadRequest<Key, Value> {
    let limit = seen == nil || policy.softTimeout == nil ? policy.hardTimeout : policy.softTimeout
    return LoadRequest(
      key: key, reason: reason, stale: seen?.value, validator: seen?.validator,
      deadline: reason == .ahead ? nil : limit.map { .now + $0 }, attempt: failures.count(key) + 1)
  }

  // MARK: Landing

  /// Does what the loader answered.
  private func land(
    _ loaded: Loaded<Value>, _ key: Key, of flight: FlightID, seen: Cached<Value>?, _ start: LoadStart,
    in place: LoadPlace
  ) async throws -> LoadResult<Value> {
    switch loaded {
    case .value(let value, let fresh, let stale, let tags, let validator, let cost):
      if !tags.isEmpty || validator != nil {
        do { try refuse("tags and validators", key) } catch {
          return fail(error, nil, key, start, in: place)
        }
      }
      let details = Cached<Value>.Details(validator: validator, cost: cost)
      return await store(
        value, fresh: policy.freshTime(fresh, random: .random(in: 0...1)), stale: stale, tags: tags, details,
        key,
        of: flight, start, in: place)
    case .notModified(let fresh):
      guard let seen, let value = seen.value else {
        return fail(StorageError.invalidAnswer.with(key: key), nil, key, start, in: place)
      }
      let details = Cached<Value>.Details(validator: seen.validator, cost: seen.cost)
      return await store(
        value, fresh: policy.freshTime(fresh, random: .random(in: 0...1)), stale: nil, tags: seen.tags,
        details,
        key, of: flight, start, in: place)
    case .absent(let time):
      let fresh = (time ?? policy.absentFor ?? .zero).inSeconds
      return await store(
        nil, fresh: fresh, stale: .zero, tags: [], .init(), key, of: flight, start, in: place)
    case .once(let value):
      failures.clear(key)
      reporter.report(.loaded(start.time, place), key)
      return .once(value)
    case .failed(let error, let fallback):
      return fail(error, fallback, key, start, in: place)
    }
  }

  private func fail(
    _ error: any Error, _ fallback: Value?, _ key: Key, _ start: LoadStart, in place: LoadPlace
  ) -> LoadResult<Value> {
    failures.add(key, now: now, policy.retryAfter)
    reporter.report(.failed(error, start.time, place), key)
    return .failed(LoadFailure(error: error, fallback: fallback))
  }

  /// Stores what was loaded, unless the key has been changed since. That it could not be stored is told, and the value
  /// returned all the same.
  private func store(
    _ value: Value?, fresh: Double, stale: Duration?, tags: Set<Tag>, _ details: Cached<Value>.Details,
    _ key: Key,
    of flight: FlightID, _ start: LoadStart, in place: LoadPlace
  ) async -> LoadResult<Value> {
    failures.clear(key)
    reporter.report(.loaded(start.time, place), key)
    var cached = entry(value, fresh: fresh, details, start)
    do {
      if !tags.isEmpty {
        var details = details
        details.tags = try await marks(of: tags, start)
        cached = entry(value, fresh: fresh, details, start)
      }
      let keep = max((stale ?? policy.staleFor ?? .zero).inSeconds, 0)
      try await order.withTurn(.key(key)) { [cached] in
        guard !flights.isOvertaken(flight), !removedTags.contains(tags, after: start.removals) else {
          return reporter.report(.overtaken, key)
        }
        if fresh + keep <= 0 {
          // Where nothing was seen, another process may have stored something since.
          return start.hasStale ? try await base.removeObject(forKey: key) : ()
        }
        try await base.setObject(cached, forKey: key, expiry: keptUntil(cached, keep))
      }
    } catch {
      reporter.report(.storeFailed(error), key)
    }
    return .entry(cached)
  }

  private func entry(
    _ value: Value?, fresh: Double, _ details: Cached<Value>.Details, _ start: LoadStart
  ) -> Cached<Value> {
    Cached(
      value, end: now + max(fresh, 0), began: start.began, loadTime: Float(start.time.inSeconds),
      generation: start.generation, details: details.isEmpty ? nil : details
    ).due(by: policy)
  }

  /// Until when the store below keeps an entry; `nil`: as long as it keeps anything.
  func keptUntil(_ cached: Cached<Value>, _ keep: Double) -> Expiry? {
    cached.end == .infinity ? nil : .date(Date(timeIntervalSinceReferenceDate: cached.end + keep))
  }

  /// The generations of some tags from before the load. Those of tags that are new to the value are read only now: a
  /// removal meanwhile by this process is known otherwise.
  private func marks(of tags: Set<Tag>, _ start: LoadStart) async throws -> [TagMark] {
    var marks: [TagMark] = []
    for tag in tags.sorted(by: { $0.name < $1.name }) {
      var generation = start.tags[tag]
      if generation == nil { generation = try await generations.generation(tag.name, makes: true) }
      if let generation { marks.append(TagMark(tag: tag, generation: generation)) }
    }
    return marks
  }
}

/// What was so when a load began.
struct LoadStart: Sendable {
  /// Seconds since the reference date.
  let began: Double
  /// The last removal of a tag before it.
  let removals: Int
  /// Whether there was a value to remove if the loader finds none.
  let hasStale: Bool
  var generation: UInt64 = 0
  var tags: [Tag: UInt64] = [:]
  /// How long it took.
  var time: Duration = .zero

  init(began: Double, removals: Int, hasStale: Bool) {
    self.began = began
    self.removals = removals
    self.hasStale = hasStale
  }
}
