import StrataCore

/// Runs a function in a task of its own, and waits for it no longer than a time: then it is cancelled, and `error` is
/// thrown.
///
/// The function need not heed its cancellation: nobody waits for its end.
func withTimeLimit<R: Sendable>(
  _ limit: Duration, on clock: any Clock<Duration>, throwing error: @autoclosure () -> any Error,
  _ body: @escaping @Sendable () async throws -> R
) async throws -> R {
  let flights = Flights<Bool, R>()
  guard case .lead(let flight) = flights.enter(true) else { preconditionFailure("nobody else enters") }
  let caller = Flights<Bool, R>.Caller(of: flight)
  let timer = startTimer(limit, on: clock) { [error = error()] in flights.leave(caller, throwing: error) }
  defer { timer.cancel() }
  let lease = StorageLease.current
  flights.start(flight) {
    guard let lease else { return try await body() }
    return try await lease.whileHeld(body)
  }
  guard case .landed(let result) = try await flights.wait(as: caller) else {
    preconditionFailure("a load in a task of its own lands")
  }
  return try result.get()
}

/// Calls a function when a time has passed, unless the task that is returned is cancelled before.
func startTimer(
  _ time: Duration, on clock: any Clock<Duration>, _ action: @escaping @Sendable () -> Void
) -> Task<Void, Never> {
  Task.detached {
    do { try await clock.sleep(for: time) } catch { return }
    action()
  }
}

/// Begins to measure; the function that is returned tells the time since.
func startStopwatch(_ clock: some Clock<Duration>) -> @Sendable () -> Duration {
  let start = clock.now
  return { start.duration(to: clock.now) }
}
