import StrataCore
import Synchronization

extension LoadEngine {
  /// The counters of changes before a caller read the store.
  typealias Mark = (landed: Int, changes: Int)

  /// The current counters. If they have changed once a load has begun, a read of the store before it may have missed a
  /// change, and the load reads again.
  var mark: Mark { (flights.landed, changes.load(ordering: .sequentiallyConsistent)) }

  /// Reads a value, and loads it if needed.
  func read(_ key: Key) async throws -> Found<Value> {
    while true {
      let mark = mark
      let (found, stored) = try await judge(lookUp(key), key)
      if let found {
        if let due = stored.cached { refresh([(key, due)], mark) }
        return found
      }
      if let found = try await load(key, stored, mark) { return found }
    }
  }

  /// Returns what a read of a stored entry finds, and the entry if it must be refreshed in the background. If the read
  /// finds nothing, it loads, and a stale entry, if any, is the fallback.
  func judge(_ stored: Stored, _ key: Key) async throws -> (found: Found<Value>?, stored: Stored) {
    var fallback: Cached<Value>?
    if let cached = stored.cached {
      switch try await freshness(of: cached, key) {
      case .fresh: return (hit(cached, key), (nil, false))
      case .due: return (hit(cached, key), stored)
      case .stale: fallback = cached.value == nil ? nil : cached
      case .gone: break
      }
    }
    if let fallback, failures.isWaiting(key, now: now) { return (serveStale(fallback, key), (nil, false)) }
    reporter.report(.miss, key)
    return (nil, (fallback, stored.isUnread))
  }

  func hit(_ cached: Cached<Value>, _ key: Key) -> Found<Value> {
    reporter.report(cached.value == nil ? .hitAbsent : .hit, key)
    return found(cached)
  }

  private func serveStale(_ cached: Cached<Value>, _ key: Key) -> Found<Value> {
    reporter.report(.servedStale, key)
    return found(cached)
  }

  private func found(_ cached: Cached<Value>) -> Found<Value> {
    Found(value: cached.value, expiry: expiry(of: cached))
  }

  // MARK: Waiting

  /// A caller that waits for a load that it or another caller began. An object, so that it is not copied.
  final class Waiting: Sendable {
    let key: Key
    let seen: Cached<Value>?
    let mark: Mark
    /// The in-flight load; `nil` if the caller has no time to wait.
    let flight: FlightID?
    /// The load that runs while the caller does not wait for it.
    let ignored: FlightID?
    /// Whether this caller began the load.
    let leads: Bool
    /// Whether the caller wants the result of the load, and no stale value in its place.
    let isAsked: Bool
    /// The caller's time limit, and the time since it began to wait.
    let limit: Limit?
    let passed: (@Sendable () -> Duration)?

    init(
      _ key: Key, seen: Cached<Value>?, _ mark: Mark, flight: FlightID?, ignored: FlightID? = nil,
      leads: Bool, isAsked: Bool, limit: Limit?, passed: (@Sendable () -> Duration)?
    ) {
      self.key = key
      self.seen = seen
      self.mark = mark
      self.flight = flight
      self.ignored = ignored
      self.leads = leads
      self.isAsked = isAsked
      self.limit = limit
      self.passed = passed
    }
  }

  /// Loads a value, or waits for its load. Returns `nil` if the store must be read again.
  private func load(
    _ key: Key, _ stored: Stored, _ mark: Mark, isAsked: Bool = false,
    _ passed: (@Sendable () -> Duration)? = nil
  ) async throws -> Found<Value>? {
    let (waiting, planned) = enter(key, stored, mark, isAsked: isAsked, passed)
    if let planned {
      if waiting.flight == nil { launchRefreshes([planned]) } else { launch([planned], in: .foreground) }
    }
    return try await outcome(of: waiting)
  }

  /// Joins the in-flight load of a key, or plans one: if the caller does not wait for it, in the background. A load
  /// that is asked for replaces the stored entry, whether it could be read or not: `isUnread` then means that there may
  /// be another entry than `cached`.
  ///
  /// - Parameter passed: returns how long the caller has waited already; `nil` if it begins now.
  func enter(
    _ key: Key, _ stored: Stored, _ mark: Mark, isAsked: Bool = false,
    _ passed: (@Sendable () -> Duration)? = nil
  ) -> (Waiting, Planned?) {
    let limit = limit(hasStale: stored.cached != nil && !isAsked)
    func waiting(_ flight: FlightID?, ignored: FlightID? = nil, leads: Bool) -> Waiting {
      Waiting(
        key, seen: stored.cached, mark, flight: flight, ignored: ignored, leads: leads, isAsked: isAsked,
        limit: limit, passed: limit == nil ? nil : passed ?? startStopwatch(clock))
    }
    func planned(_ flight: FlightID) -> Planned {
      Planned(
        key: key, flight: flight, reason: isAsked ? .asked : stored.cached == nil ? .absent : .expired,
        seen: stored.cached, looksAgain: !isAsked && self.mark != mark,
        isUnread: !isAsked && stored.isUnread, replacesUnseen: isAsked && stored.isUnread)
    }
    if policy.hardTimeout.map({ $0 <= .zero }) ?? false { return (waiting(nil, leads: false), nil) }
    abandonHung(key)
    if let limit, limit.time <= .zero {
      // The stale value is returned at once, and the load replaces it for later callers.
      if let flight = flights.enterAlone(key) {
        return (waiting(nil, ignored: flight, leads: false), planned(flight))
      }
      return (waiting(nil, ignored: flights.open(key), leads: false), nil)
    }
    switch flights.enter(key) {
    case .join(let flight):
      // A refresh that is being gathered starts late: load at once.
      if policy.refreshGathering != nil { launchRefreshes(gatherer.takeAll(with: flight)) }
      return (waiting(flight, leads: false), nil)
    case .lead(let flight): return (waiting(flight, leads: true), planned(flight))
    }
  }

  /// Waits for a load; returns `nil` if the store must be read again.
  func outcome(of waiting: Waiting) async throws -> Found<Value>? {
    guard let flight = waiting.flight else {
      guard let limit = waiting.limit else { return nil }
      return try await giveUp(limit, waiting)
    }
    do {
      guard case .landed(let result) = try await wait(for: flight, waiting) else { return nil }
      switch try result.get() {
      case .entry(let cached):
        // A caller that joined may have begun after a removal that the load began before.
        if !waiting.leads, try await isOutdated(cached, waiting.key) { return nil }
        return found(cached)
      case .once(let value): return Found(value: value, expiry: .date(dates.now))
      case .failed(let error, let fallback):
        if waiting.isAsked { throw error }
        if policy.onError == .eachTriesAgain, !waiting.leads { return nil }
        if let found = try await standIn(for: waiting) { return found }
        guard let fallback else { throw error }
        return Found(value: fallback, expiry: .date(dates.now))
      }
    } catch let reached as LoadTimeoutReached {
      return try await giveUp((reached.limit, reached.kind), waiting, isLost: reached.isLost)
    }
  }

  typealias Limit = (time: Duration, kind: LoadTimeout)

  /// Returns the time limit of a caller.
  private func limit(hasStale: Bool) -> Limit? {
    let hard = policy.hardTimeout.map { Limit($0, .hard) }
    guard hasStale, let soft = policy.softTimeout else { return hard }
    return hard.map { $0.time < soft } ?? false ? hard : (soft, .soft)
  }

  /// Records that a caller has stopped waiting, which counts as a failure of the load, unless the load has succeeded
  /// meanwhile.
  private func giveUp(
    _ limit: Limit, _ waiting: Waiting, isLost: Bool = false
  ) async throws -> Found<Value> {
    let key = waiting.key
    reporter.report(.timedOut(limit.kind), key)
    if let flight = waiting.flight ?? waiting.ignored {
      func add() { failures.add(key, flight, now: now, policy.retryAfter, on: clock) }
      if isLost { add() } else { flights.whileInFlight(flight, add) }
    }
    if let found = try await standIn(for: waiting) { return found }
    throw StorageError.timedOut.with("the load took longer than \(limit.time)", key: key)
  }

  /// Returns the fallback of a load: the entry seen before, if it is still valid.
  private func standIn(for waiting: Waiting) async throws -> Found<Value>? {
    guard let seen = waiting.seen, !waiting.isAsked else { return nil }
    let key = waiting.key
    if changes.load(ordering: .sequentiallyConsistent) == waiting.mark.changes {
      return serveStale(seen, key)
    }
    guard let cached = try await lookUp(key).cached, cached.value != nil else { return nil }
    switch try await freshness(of: cached, key) {
    case .fresh, .due: return hit(cached, key)
    case .stale: return serveStale(cached, key)
    case .gone: return nil
    }
  }

  private func wait(for flight: FlightID, _ waiting: Waiting) async throws -> FlightEnd<LoadResult<Value>> {
    let caller = Loads.Caller(of: flight)
    guard let limit = waiting.limit else { return try await flights.wait(as: caller) }
    let rest = limit.time - (waiting.passed?() ?? .zero)
    let timer = startTimer(rest, on: clock) { [self] in
      let goesOn = policy.afterTimeout != .cancel && background.add(flights.load(of: flight))
      flights.leave(
        caller, throwing: LoadTimeoutReached(kind: limit.kind, limit: limit.time), keeping: goesOn)
    }
    defer { timer.cancel() }
    return try await flights.wait(as: caller)
  }

  // MARK: On demand

  /// Loads a value regardless of what is stored, and waits for it.
  func reload(_ key: Key) async throws -> Found<Value> {
    // A load that is running may have read the source before this call. One that begins from now on can be joined.
    abandonHung(key)
    if flights.isOpen(key) { launchRefreshes(gatherer.takeAll()) }
    let passed = policy.hardTimeout == nil ? nil : startStopwatch(clock)
    try await settle(key, passed)
    while true {
      let stored = try await lookUp(key)
      var seen = stored.cached
      if let cached = seen, cached.value == nil { seen = nil }
      if let cached = seen, try await freshness(of: cached, key) == .gone { seen = nil }
      let rest = (seen, stored.isUnread || stored.cached != nil && seen == nil)
      if let found = try await load(key, rest, mark, isAsked: true, passed) { return found }
    }
  }

  /// Waits until the load of a key that is running has ended, whatever its result, or until the caller's time is over.
  private func settle(_ key: Key, _ passed: (@Sendable () -> Duration)?) async throws {
    guard let flight = flights.joinOpen(key) else { return }
    let waiting = Waiting(
      key, seen: nil, mark, flight: flight, leads: false, isAsked: true, limit: limit(hasStale: false),
      passed: passed)
    do {
      if case .landed(let result) = try await wait(for: flight, waiting) { _ = try result.get() }
    } catch let reached as LoadTimeoutReached where !reached.isLost {
      _ = try await giveUp((reached.limit, reached.kind), waiting)
    } catch {}
    try Task.checkCancellation()
  }
}
