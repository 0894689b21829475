import StrataCore

/// The handling of a loader's answers.
extension LoadEngine {
  /// A loaded value or absence that is to be stored.
  struct Landing: Sendable {
    let key: Key
    /// The in-flight load whose callers get the value; `nil` for a value that was not requested.
    var flight: FlightID?
    var cached: Cached<Value>
    /// How long the value is fresh, and how long it is kept after that, in seconds.
    let fresh: Double
    let keep: Double
    let tags: Set<Tag>
    /// Whether a previous value must be removed if this one is not stored.
    let hasStale: Bool
    /// Whether the value may be stored.
    var isWhole = true
    /// Whether the read of the store before the load failed: see `PlannedLoad.isUnread`.
    var isUnread = false

    /// Whether the value is to be stored, and not only returned.
    var isKept: Bool { fresh + keep > 0 }
  }

  /// Applies the loader's answers and completes the in-flight loads.
  func land(
    _ loaded: [Key: Loaded<Value>], of loads: [Planned], _ start: LoadStart<Key>, in place: LoadPlace
  ) async {
    let now = now
    var landings: [Landing] = []
    var successes: [Planned] = []
    for load in loads {
      let answer = loaded[load.key] ?? .absent()
      do {
        let landing = try landing(of: answer, load, start, at: now)
        failures.clear(load.key)
        successes.append(load)
        reporter.report(.loaded(start.time, place), load.key)
        if let landing { landings.append(landing) }
        if case .once(let value) = answer { flights.end(load.flight, with: .success(.once(value))) }
      } catch {
        fail(error, answer, load, start, in: place)
      }
    }
    if loader.isForMany { landings += extras(loaded, besides: loads, start, at: now, in: place) }
    await store(&landings, start)
    for landing in landings {
      if let flight = landing.flight { flights.end(flight, with: .success(.entry(landing.cached))) }
    }
    // Once more: a caller may have stopped waiting while the value was being stored.
    for load in successes { failures.clear(load.key, of: load.flight) }
  }

  /// Returns a loaded value or absence that is to be stored; `nil` for a value that is not. Throws the error of a load
  /// that failed.
  private func landing(
    of answer: Loaded<Value>, _ load: Planned, _ start: LoadStart<Key>, at now: Double
  ) throws -> Landing? {
    var details = CachedDetails()
    var (tags, stale): (Set<Tag>, Duration?) = ([], nil)
    let (value, fresh): (Value?, Double)
    switch answer {
    case .value(let new, let own, let kept, let named, let validator, let cost):
      if !named.isEmpty || validator != nil { try refuse("tags and validators", load.key) }
      (value, fresh) = (new, policy.freshTime(own, random: .random(in: 0...1)))
      (tags, stale, details) = (named, kept, CachedDetails(validator: validator, cost: cost))
    case .notModified(let own):
      guard let seen = load.seen, let old = seen.value else {
        throw StorageError.invalidAnswer.with(key: load.key)
      }
      (value, fresh) = (old, policy.freshTime(own, random: .random(in: 0...1)))
      (tags, details) = (seen.tags, CachedDetails(validator: seen.validator, cost: seen.cost))
    case .absent(let time):
      (value, fresh, stale) = (nil, (time ?? policy.absentFor ?? .zero).inSeconds, .zero)
    case .once: return nil
    case .failed(let error, _): throw error
    }
    let cached = Cached(
      value, end: now + max(fresh, 0), began: start.began, loadTime: Float(start.time.inSeconds),
      generation: start.generation, details: details.isEmpty ? nil : details
    ).due(by: policy)
    return Landing(
      key: load.key, flight: load.flight, cached: cached, fresh: fresh,
      keep: max((stale ?? policy.staleFor ?? .zero).inSeconds, 0), tags: tags,
      hasStale: load.seen != nil || load.replacesUnseen, isUnread: load.isUnread)
  }

  private func fail(
    _ error: any Error, _ answer: Loaded<Value>, _ load: Planned, _ start: LoadStart<Key>,
    in place: LoadPlace
  ) {
    failures.add(load.key, load.flight, now: now, policy.retryAfter, on: clock)
    reporter.report(.failed(error, start.time, place), load.key)
    var fallback: Value?
    if case .failed(_, let other) = answer { fallback = other }
    flights.end(load.flight, with: .success(.failed(error, orElse: fallback)))
  }

  /// Returns values of keys that were not requested. They are stored unless anything has changed since, or the key is
  /// being loaded or has been loaded since.
  private func extras(
    _ loaded: [Key: Loaded<Value>], besides loads: [Planned], _ start: LoadStart<Key>, at now: Double,
    in place: LoadPlace
  ) -> [Landing] {
    let asked = Set(loads.map(\.key))
    return loaded.compactMap { key, answer in
      guard !asked.contains(key), case .value = answer else { return nil }
      let load = Planned(key: key, flight: FlightID(), reason: .absent)
      do {
        var landing = try landing(of: answer, load, start, at: now)
        landing?.flight = nil
        return landing
      } catch {
        fail(error, answer, load, start, in: place)
        return nil
      }
    }
  }
}
