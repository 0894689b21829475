/// Runs a function in a separate task with a time limit, after which the task is cancelled and `error` is thrown.
///
/// The function may ignore its cancellation: its end is not waited for.
package func withTimeLimit<R: Sendable>(
  _ limit: Duration, on clock: any Clock<Duration>, throwing error: @autoclosure () -> any Error,
  _ body: @escaping @Sendable () async throws -> R
) async throws -> R {
  let flights = Flights<Bool, R>()
  guard case .lead(let flight) = flights.enter(true) else { preconditionFailure("no other caller enters") }
  let caller = Flights<Bool, R>.Caller(of: flight)
  let timer = startTimer(limit, on: clock) { [error = error()] in flights.leave(caller, throwing: error) }
  defer { timer.cancel() }
  let lease = StorageLease.current
  flights.start(flight) {
    guard let lease else { return try await body() }
    return try await lease.whileHeld(body)
  }
  guard case .landed(let result) = try await flights.wait(as: caller) else {
    preconditionFailure("a load in its own task ends with a result")
  }
  return try result.get()
}

/// Calls a function after a time, unless the returned task is cancelled before.
package func startTimer(
  _ time: Duration, on clock: any Clock<Duration>, _ action: @escaping @Sendable () -> Void
) -> Task<Void, Never> {
  Task.detached {
    do { try await clock.sleep(for: time) } catch { return }
    action()
  }
}

/// Starts a stopwatch; the returned function returns the elapsed time.
package func startStopwatch(_ clock: some Clock<Duration>) -> @Sendable () -> Duration {
  let start = clock.now
  return { start.duration(to: clock.now) }
}
