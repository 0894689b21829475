import StrataCore
import Synchronization

extension LoadEngine {
  /// The counters of changes before a caller read the store.
  struct Mark {
    let landed: Int
    let changes: Int
  }

  /// The current counters.
  var mark: Mark { Mark(landed: flights.landed, changes: changes.load(ordering: .sequentiallyConsistent)) }

  /// Reads a value, and loads it if needed.
  func read(_ key: Key) async throws -> Found<Value> {
    while true {
      let mark = mark
      switch try await judge(try await lookUp(key), key) {
      case .found(let found): return found
      case .due(let found, let cached):
        refresh([(key, cached)])
        return found
      case .missing(let stored):
        let (waiting, planned) = enter(key, .foreground(stored), mark)
        if let planned { launch([planned], in: .foreground) }
        if let found = try await outcome(of: waiting) { return found }
      }
    }
  }

  /// The decision of a read about a stored entry.
  enum Judgement {
    /// Returns it.
    case found(Found<Value>)
    /// Returns it, and refreshes it in the background.
    case due(Found<Value>, Cached<Value>)
    /// Loads; a stale value, if any, is the fallback.
    case missing(Stored)
  }

  func judge(_ stored: Stored, _ key: Key) async throws -> Judgement {
    var seen = stored
    if let cached = stored.cached {
      switch try await freshness(of: cached, key) {
      case .fresh: return .found(hit(cached, key))
      case .due: return .due(hit(cached, key), cached)
      case .stale: seen.cached = cached.value == nil ? nil : cached
      case .gone: seen.cached = nil
      }
    }
    if let seen = seen.cached, failures.isWaiting(key, now: now) { return .found(serveStale(seen, key)) }
    reporter.report(.miss, key)
    return .missing(seen)
  }

  func hit(_ cached: Cached<Value>, _ key: Key) -> Found<Value> {
    reporter.report(cached.value == nil ? .hitAbsent : .hit, key)
    return Found(value: cached.value, expiry: expiry(of: cached))
  }

  private func serveStale(_ cached: Cached<Value>, _ key: Key) -> Found<Value> {
    reporter.report(.servedStale, key)
    return Found(value: cached.value, expiry: expiry(of: cached))
  }

  // MARK: Waiting

  /// A caller that waits for a load that it or another caller began.
  struct Waiting {
    let key: Key
    let seen: Cached<Value>?
    let mark: Mark
    /// The in-flight load; `nil` if the caller has no time to wait.
    let flight: FlightID?
    /// Whether this caller began the load.
    let leads: Bool
    /// The caller's time limit, and the time since it began to wait.
    let limit: Limit?
    let passed: (@Sendable () -> Duration)?
  }

  enum Purpose {
    case foreground(Stored)
    case asked(Cached<Value>?)
  }

  /// Joins the in-flight load of a key, or plans one.
  func enter(_ key: Key, _ purpose: Purpose, _ mark: Mark) -> (Waiting, Planned?) {
    let (stored, reason, limit): (Stored, Reason, Limit?) =
      switch purpose {
      case .foreground(let stored):
        (stored, stored.cached == nil ? .absent : .expired, self.limit(hasStale: stored.cached != nil))
      // Replaces the stored value, whether it could be read or not.
      case .asked(let cached): (Stored(cached), .asked, policy.hardTimeout.map { ($0, .hard) })
      }
    func waiting(_ flight: FlightID?, leads: Bool) -> Waiting {
      Waiting(
        key: key, seen: stored.cached, mark: mark, flight: flight, leads: leads, limit: limit,
        passed: limit == nil ? nil : startStopwatch(clock))
    }
    if let limit, limit.time <= .zero { return (waiting(nil, leads: false), nil) }
    abandonHung(key)
    switch flights.enter(key) {
    case .join(let flight):
      // A refresh that is being gathered starts late: load at once.
      if policy.refreshGathering != nil { launchRefreshes(gatherer.takeAll(with: flight)) }
      return (waiting(flight, leads: false), nil)
    case .lead(let flight):
      let planned = Planned(
        key: key, flight: flight, reason: reason, seen: stored.cached,
        looksAgain: reason != .asked && flights.landed != mark.landed, isUnread: stored.isUnread)
      return (waiting(flight, leads: true), planned)
    }
  }

  /// Waits for a load; returns `nil` if the store must be read again.
  func outcome(of waiting: Waiting) async throws -> Found<Value>? {
    let (key, seen, mark) = (waiting.key, waiting.seen, waiting.mark)
    guard let flight = waiting.flight else {
      guard let limit = waiting.limit else { return nil }
      return try await giveUp(limit, waiting)
    }
    do {
      guard case .landed(let result) = try await wait(for: flight, waiting) else { return nil }
      switch try result.get() {
      case .entry(let cached):
        // A caller that joined may have begun after a removal that the load began before.
        if !waiting.leads, try await isOutdated(cached, key) { return nil }
        return Found(value: cached.value, expiry: expiry(of: cached))
      case .once(let value): return Found(value: value, expiry: .date(dates.now))
      case .failed(let failure):
        if policy.onError == .eachTriesAgain, !waiting.leads { return nil }
        if let found = try await standIn(for: seen, key, mark) { return found }
        guard let fallback = failure.fallback else { throw failure.error }
        return Found(value: fallback, expiry: .date(dates.now))
      }
    } catch let reached as LoadTimeoutReached {
      return try await giveUp((reached.limit, reached.kind), waiting)
    }
  }

  typealias Limit = (time: Duration, kind: LoadTimeout)

  /// Returns the time limit of a caller.
  private func limit(hasStale: Bool) -> Limit? {
    let hard = policy.hardTimeout.map { Limit($0, .hard) }
    guard hasStale, let soft = policy.softTimeout else { return hard }
    return hard.map { $0.time < soft } ?? false ? hard : (soft, .soft)
  }

  private func giveUp(_ limit: Limit, _ waiting: Waiting) async throws -> Found<Value> {
    let error = timedOut(limit, waiting)
    if let found = try await standIn(for: waiting.seen, waiting.key, waiting.mark) { return found }
    throw error
  }

  /// Records that a caller has stopped waiting, which counts as a failure of the load, and returns the caller's error.
  private func timedOut(_ limit: Limit, _ waiting: Waiting) -> StorageError {
    let key = waiting.key
    reporter.report(.timedOut(limit.kind), key)
    if let flight = waiting.flight { failures.add(key, flight, now: now, policy.retryAfter, on: clock) }
    return .timedOut.with("the load took longer than \(limit.time)", key: key)
  }

  /// Returns the fallback of a load: the entry seen before, if it is still valid.
  private func standIn(for seen: Cached<Value>?, _ key: Key, _ mark: Mark) async throws -> Found<Value>? {
    guard let seen else { return nil }
    if changes.load(ordering: .sequentiallyConsistent) == mark.changes { return serveStale(seen, key) }
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
    while true {
      var seen = try await lookUp(key).cached
      if let cached = seen, cached.value == nil { seen = nil }
      if let cached = seen, try await freshness(of: cached, key) == .gone { seen = nil }
      let (waiting, planned) = enter(key, .asked(seen), mark)
      if let planned { launch([planned], in: .foreground) }
      guard let flight = waiting.flight else {
        throw timedOut(waiting.limit ?? (.zero, .hard), waiting)
      }
      do {
        guard case .landed(let result) = try await wait(for: flight, waiting) else { continue }
        switch try result.get() {
        case .entry(let cached):
          if !waiting.leads, try await isOutdated(cached, key) { continue }
          return Found(value: cached.value, expiry: expiry(of: cached))
        case .once(let value): return Found(value: value, expiry: .date(dates.now))
        case .failed(let failure): throw failure.error
        }
      } catch let reached as LoadTimeoutReached {
        throw timedOut((reached.limit, reached.kind), waiting)
      }
    }
  }
}
