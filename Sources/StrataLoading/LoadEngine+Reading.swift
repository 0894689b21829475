import StrataCore
import Synchronization

extension LoadEngine {
  /// How things stood before a caller looked into the store.
  struct Mark {
    let landed: Int
    let changes: Int
  }

  /// Reads a value, and loads it where that is needed.
  func read(_ key: Key) async throws -> Found<Value> {
    while true {
      let mark = Mark(landed: flights.landed, changes: changes.load(ordering: .sequentiallyConsistent))
      var seen = try await lookUp(key)
      if let cached = seen {
        switch try await freshness(of: cached, key) {
        case .fresh: return hit(cached, key)
        case .due:
          refresh(key, seen: cached)
          return hit(cached, key)
        case .stale: seen = cached.value == nil ? nil : cached
        case .gone: seen = nil
        }
      }
      if let seen, failures.isWaiting(key, now: now) { return serveStale(seen, key) }
      reporter.report(.miss, key)
      if let found = try await share(key, seen: seen, mark: mark) { return found }
    }
  }

  func hit(_ cached: Cached<Value>, _ key: Key) -> Found<Value> {
    reporter.report(cached.value == nil ? .hitAbsent : .hit, key)
    return Found(value: cached.value, expiry: expiry(of: cached))
  }

  private func serveStale(_ cached: Cached<Value>, _ key: Key) -> Found<Value> {
    reporter.report(.servedStale, key)
    return Found(value: cached.value, expiry: expiry(of: cached))
  }

  /// Waits for a load of the key, its own or another's; `nil` if the store is to be read again.
  private func share(_ key: Key, seen: Cached<Value>?, mark: Mark) async throws -> Found<Value>? {
    let limit = limit(hasStale: seen != nil)
    if let limit, limit.time <= .zero { return try await giveUp(limit, key, seen: seen, mark) }
    let flight: FlightID
    let isLeader: Bool
    switch flights.enter(key) {
    case .lead(let own):
      (flight, isLeader) = (own, true)
      launch(
        own, key, seen == nil ? .absent : .expired, seen: seen, looksAgain: flights.landed != mark.landed,
        in: .foreground)
    case .join(let other): (flight, isLeader) = (other, false)
    }
    do {
      guard case .landed(let result) = try await wait(for: flight, limit) else { return nil }
      switch try result.get() {
      case .entry(let cached): return Found(value: cached.value, expiry: expiry(of: cached))
      case .once(let value): return Found(value: value, expiry: .date(dates.now))
      case .failed(let failure):
        if policy.onError == .eachTriesAgain, !isLeader { return nil }
        if let found = try await standIn(for: seen, key, mark) { return found }
        guard let fallback = failure.fallback else { throw failure.error }
        return Found(value: fallback, expiry: .date(dates.now))
      }
    } catch let reached as LoadTimeoutReached {
      return try await giveUp((reached.limit, reached.kind), key, seen: seen, mark)
    }
  }

  typealias Limit = (time: Duration, kind: LoadTimeout)

  /// How long a caller waits.
  private func limit(hasStale: Bool) -> Limit? {
    let hard = policy.hardTimeout.map { Limit($0, .hard) }
    guard hasStale, let soft = policy.softTimeout else { return hard }
    return hard.map { $0.time < soft } ?? false ? hard : (soft, .soft)
  }

  private func giveUp(
    _ limit: Limit, _ key: Key, seen: Cached<Value>?, _ mark: Mark
  ) async throws -> Found<Value> {
    reporter.report(.timedOut(limit.kind), key)
    if let found = try await standIn(for: seen, key, mark) { return found }
    throw timedOut(limit, key)
  }

  private func timedOut(_ limit: Limit, _ key: Key) -> StorageError {
    StorageError.timedOut.with("the load took longer than \(limit.time)", key: key)
  }

  /// What is returned in place of a load: what was seen before, if it is still there.
  private func standIn(for seen: Cached<Value>?, _ key: Key, _ mark: Mark) async throws -> Found<Value>? {
    guard let seen else { return nil }
    if changes.load(ordering: .sequentiallyConsistent) == mark.changes { return serveStale(seen, key) }
    guard let cached = try await lookUp(key), cached.value != nil else { return nil }
    switch try await freshness(of: cached, key) {
    case .fresh, .due: return hit(cached, key)
    case .stale: return serveStale(cached, key)
    case .gone: return nil
    }
  }

  func wait(for flight: FlightID, _ limit: Limit?) async throws -> FlightEnd<LoadResult<Value>> {
    let caller = Loads.Caller(of: flight)
    guard let limit else { return try await flights.wait(as: caller) }
    let timer = startTimer(limit.time, on: clock) { [self] in
      let goesOn = policy.afterTimeout != .cancel && background.add(flight)
      flights.leave(
        caller, throwing: LoadTimeoutReached(kind: limit.kind, limit: limit.time), keeping: goesOn)
    }
    defer { timer.cancel() }
    return try await flights.wait(as: caller)
  }

  // MARK: In the background

  /// Begins to load a value that is still fresh, unless that is being done, or was tried too short a time ago.
  func refresh(_ key: Key, seen: Cached<Value>) {
    if failures.isWaiting(key, now: now) { return }
    guard let flight = flights.enterAlone(key) else { return }
    guard background.add(flight) else {
      flights.giveUp(flight)
      return reporter.report(.refreshSkipped, key)
    }
    launch(flight, key, .ahead, seen: seen, looksAgain: false, in: .background)
  }
}

extension LoadEngine {
  /// Loads a value, whatever is stored, and waits for it.
  func reload(_ key: Key) async throws -> Found<Value> {
    while true {
      var seen = try await lookUp(key)
      if let cached = seen, cached.value == nil { seen = nil }
      if let cached = seen, try await freshness(of: cached, key) == .gone { seen = nil }
      let flight: FlightID
      switch flights.enter(key) {
      case .lead(let own):
        flight = own
        launch(own, key, .asked, seen: seen, looksAgain: false, in: .foreground)
      case .join(let other): flight = other
      }
      do {
        guard case .landed(let result) = try await wait(for: flight, policy.hardTimeout.map { ($0, .hard) })
        else { continue }
        switch try result.get() {
        case .entry(let cached): return Found(value: cached.value, expiry: expiry(of: cached))
        case .once(let value): return Found(value: value, expiry: .date(dates.now))
        case .failed(let failure): throw failure.error
        }
      } catch let reached as LoadTimeoutReached {
        reporter.report(.timedOut(reached.kind), key)
        throw timedOut((reached.limit, reached.kind), key)
      }
    }
  }
}
