#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore
import Synchronization

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
  }

  /// Applies the loader's answers and completes the in-flight loads.
  func land(
    _ loaded: [Key: Loaded<Value>], of loads: [Planned], _ start: LoadStart<Key>, in place: LoadPlace
  ) async {
    let now = now
    var landings: [Landing] = []
    for load in loads {
      switch landing(of: loaded[load.key] ?? .absent(), load, start, at: now, in: place) {
      case .success(let landing):
        failures.clear(load.key)
        reporter.report(.loaded(start.time, place), load.key)
        landings.append(landing)
      case .failure(let unstored): flights.end(load.flight, with: .success(unstored.result))
      }
    }
    if loader.isForMany { landings += extras(loaded, besides: loads, start, at: now, in: place) }
    await store(&landings, start)
    for landing in landings {
      if let flight = landing.flight { flights.end(flight, with: .success(.entry(landing.cached))) }
    }
  }

  /// A loader's answer that is not stored.
  private struct Unstored: Error {
    let result: LoadResult<Value>
  }

  private func landing(
    of loaded: Loaded<Value>, _ load: Planned, _ start: LoadStart<Key>, at now: Double, in place: LoadPlace
  ) -> Result<Landing, Unstored> {
    switch loaded {
    case .value(let value, let fresh, let stale, let tags, let validator, let cost):
      do { if !tags.isEmpty || validator != nil { try refuse("tags and validators", load.key) } } catch {
        return .failure(fail(error, nil, load.key, start, in: place))
      }
      return .success(
        landing(
          value, fresh: policy.freshTime(fresh, random: .random(in: 0...1)), stale: stale, tags: tags,
          .init(validator: validator, cost: cost), load, start, at: now))
    case .notModified(let fresh):
      guard let seen = load.seen, let value = seen.value else {
        let error = StorageError.invalidAnswer.with(key: load.key)
        return .failure(fail(error, nil, load.key, start, in: place))
      }
      return .success(
        landing(
          value, fresh: policy.freshTime(fresh, random: .random(in: 0...1)), stale: nil, tags: seen.tags,
          .init(validator: seen.validator, cost: seen.cost), load, start, at: now))
    case .absent(let time):
      let fresh = (time ?? policy.absentFor ?? .zero).inSeconds
      return .success(
        landing(nil, fresh: fresh, stale: .zero, tags: [], .init(), load, start, at: now))
    case .once(let value):
      failures.clear(load.key)
      reporter.report(.loaded(start.time, place), load.key)
      return .failure(Unstored(result: .once(value)))
    case .failed(let error, let fallback): return .failure(fail(error, fallback, load.key, start, in: place))
    }
  }

  private func landing(
    _ value: Value?, fresh: Double, stale: Duration?, tags: Set<Tag>, _ details: Cached<Value>.Details,
    _ load: Planned, _ start: LoadStart<Key>, at now: Double
  ) -> Landing {
    let cached = Cached(
      value, end: now + max(fresh, 0), began: start.began, loadTime: Float(start.time.inSeconds),
      generation: start.generation, details: details.isEmpty ? nil : details
    ).due(by: policy)
    let keep = max((stale ?? policy.staleFor ?? .zero).inSeconds, 0)
    return Landing(
      key: load.key, flight: load.flight, cached: cached, fresh: fresh, keep: keep, tags: tags,
      hasStale: load.seen != nil)
  }

  private func fail(
    _ error: any Error, _ fallback: Value?, _ key: Key, _ start: LoadStart<Key>, in place: LoadPlace
  ) -> Unstored {
    failures.add(key, now: now, policy.retryAfter)
    reporter.report(.failed(error, start.time, place), key)
    return Unstored(result: .failed(LoadFailure(error: error, fallback: fallback)))
  }

  /// Stores values of keys that were not requested, unless anything has changed since or the key is being loaded.
  private func extras(
    _ loaded: [Key: Loaded<Value>], besides loads: [Planned], _ start: LoadStart<Key>, at now: Double,
    in place: LoadPlace
  ) -> [Landing] {
    let asked = Set(loads.map(\.key))
    return loaded.compactMap { key, loaded in
      guard !asked.contains(key), case .value = loaded else { return nil }
      let load = Planned(key: key, flight: FlightID(), reason: .absent)
      guard case .success(var landing) = landing(of: loaded, load, start, at: now, in: place) else {
        return nil
      }
      landing.flight = nil
      return landing
    }
  }

  // MARK: Storing

  /// Stores loaded values, except of keys that have changed since. A failure to store is reported as an event, and the
  /// value is returned nevertheless.
  private func store(_ landings: inout [Landing], _ start: LoadStart<Key>) async {
    for index in landings.indices where !landings[index].tags.isEmpty {
      do {
        let marks = try await marks(of: landings[index].tags, start)
        landings[index].cached = landings[index].cached.tagged(marks)
      } catch {
        reporter.report(.storeFailed(error), landings[index].key)
        // Stored without its tags, the value could not be removed by them.
        landings[index].isWhole = false
      }
    }
    do {
      let scope: TurnScope<Key> = landings.count == 1 ? .key(landings[0].key) : .init(landings.map(\.key))
      try await order.withTurn(scope) { [landings] in
        await write(landings.filter { isCurrent($0, start) }, start.leases)
      }
    } catch {
      for landing in landings { reporter.report(.storeFailed(error), landing.key) }
    }
  }

  /// Whether a loaded value is still to be stored.
  private func isCurrent(_ landing: Landing, _ start: LoadStart<Key>) -> Bool {
    if removedTags.contains(landing.tags, after: start.removals) {
      reporter.report(.overtaken, landing.key)
      return false
    }
    guard let flight = landing.flight else {
      return !flights.isOpen(landing.key) && changes.load(ordering: .sequentiallyConsistent) == start.changes
    }
    if flights.isOvertaken(flight) {
      reporter.report(.overtaken, landing.key)
      return false
    }
    return true
  }

  /// Writes values, one batch for each expiry. A write under a lease is a single one.
  private func write(_ landings: [Landing], _ leases: [Key: StorageLease]) async {
    var batches: [Expiry?: [Key: Cached<Value>]] = [:]
    for landing in landings where landing.isWhole {
      let (key, cached) = (landing.key, landing.cached)
      let expiry = keptUntil(cached, landing.keep)
      if landing.fresh + landing.keep > 0 {
        guard let lease = leases[key] else {
          batches[expiry, default: [:]][key] = cached
          continue
        }
        await writing(key) {
          try await lease.whileHeld { try await self.base.setObject(cached, forKey: key, expiry: expiry) }
        }
      } else if landing.hasStale {
        // If the load saw no value, another process may have stored one since: that one stays.
        await writing(key) { try await self.base.removeObject(forKey: key) }
      }
    }
    for (expiry, batch) in batches {
      do {
        if batch.count > 1 {
          try await base.setObjects(batch, expiry: expiry)
          continue
        }
      } catch {
        // A batch fails as a whole. Single writes fail separately.
      }
      for (key, cached) in batch {
        await writing(key) { try await self.base.setObject(cached, forKey: key, expiry: expiry) }
      }
    }
  }

  /// Writes, and emits an event on failure.
  private func writing(_ key: Key, _ write: () async throws -> Void) async {
    do { try await write() } catch StorageError.leaseLost { reporter.report(.leaseLost, key) } catch {
      reporter.report(.storeFailed(error), key)
    }
  }

  /// The expiry of an entry in the inner store; `nil` for the store's own.
  func keptUntil(_ cached: Cached<Value>, _ keep: Double) -> Expiry? {
    cached.end == .infinity ? nil : .date(Date(timeIntervalSinceReferenceDate: cached.end + keep))
  }

  /// Returns the generations of tags from before the load. Generations of tags that are new to the value are read now;
  /// a removal by this process during the load is detected by `TagRemovals`.
  private func marks(of tags: Set<Tag>, _ start: LoadStart<Key>) async throws -> [TagMark] {
    var marks: [TagMark] = []
    for tag in tags.sorted(by: { $0.name < $1.name }) {
      var generation = start.tags[tag]
      if generation == nil { generation = try await generations.generation(tag.name, makes: true) }
      if let generation { marks.append(TagMark(tag: tag, generation: generation)) }
    }
    return marks
  }
}
