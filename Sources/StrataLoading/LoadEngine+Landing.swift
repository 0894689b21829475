#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
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
        return .failure(fail(error, nil, load, start, in: place))
      }
      return .success(
        landing(
          value, fresh: policy.freshTime(fresh, random: .random(in: 0...1)), stale: stale, tags: tags,
          .init(validator: validator, cost: cost), load, start, at: now))
    case .notModified(let fresh):
      guard let seen = load.seen, let value = seen.value else {
        let error = StorageError.invalidAnswer.with(key: load.key)
        return .failure(fail(error, nil, load, start, in: place))
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
    case .failed(let error, let fallback): return .failure(fail(error, fallback, load, start, in: place))
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
      hasStale: load.seen != nil, isUnread: load.isUnread)
  }

  private func fail(
    _ error: any Error, _ fallback: Value?, _ load: Planned, _ start: LoadStart<Key>, in place: LoadPlace
  ) -> Unstored {
    failures.add(load.key, load.flight, now: now, policy.retryAfter, on: clock)
    reporter.report(.failed(error, start.time, place), load.key)
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
}
