import Synchronization

extension Flights {
  /// A waiting caller, whose wait can be ended from outside, for example by a timeout.
  package struct Caller: Sendable {
    let number: Int
    let flight: FlightID

    package init(of flight: FlightID) {
      number = callerNumbers.add(1, ordering: .relaxed).newValue
      self.flight = flight
    }
  }

  /// Suspends until a load that this caller has entered ends. Throws `CancellationError` if this task is cancelled
  /// meanwhile, and `.deadlock` if the load waits for this code.
  package func wait(for flight: FlightID) async throws -> FlightEnd<Output> {
    try await wait(as: Caller(of: flight))
  }

  /// Suspends until a load ends, for a caller whose wait can be ended from outside, for example by a timeout.
  package func wait(as caller: Caller) async throws -> FlightEnd<Output> {
    let outer = try enterWait(of: caller)
    defer { if let outer { FlightScope.leaveWait(of: outer, for: caller.flight) } }
    liftPriority(of: caller.flight)
    let end = await cancelling {
      await withCheckedContinuation { continuation in
        let end = table.withLock { table in
          table.wait(for: caller.flight, caller: caller.number) { continuation.resume(returning: $0) }
        }
        if let end { continuation.resume(returning: end) }
      }
    } onCancel: {
      leave(caller, throwing: CancellationError())
    }
    return end
  }

  /// Blocks this thread until a load that this caller has entered ends. Throws `.deadlock` if the load waits for this
  /// code.
  package func block(for flight: FlightID) throws -> FlightEnd<Output> {
    try block(as: Caller(of: flight))
  }

  /// Blocks this thread until a load ends, for a caller whose wait can be ended from outside.
  package func block(as caller: Caller) throws -> FlightEnd<Output> {
    let outer = try enterWait(of: caller)
    defer { if let outer { FlightScope.leaveWait(of: outer, for: caller.flight) } }
    let box = SignalBox<FlightEnd<Output>>()
    let end = table.withLock { table in
      table.wait(for: caller.flight, caller: caller.number) { box.put($0) }
    }
    return end ?? box.take()
  }

  /// Waits until the loads that are in flight now have ended, whatever their results. Throws if this task is cancelled.
  package func settle() async throws {
    let inFlight = table.withLock { table in
      let inFlight = table.inFlight
      inFlight.forEach { table.join($0) }
      return inFlight
    }
    // Every load that was joined must be waited for; after a cancellation that takes no time.
    for flight in inFlight { _ = await Result(of: { try await wait(for: flight) }) }
    try Task.checkCancellation()
  }

  /// Ends the wait of one caller, which throws `error`. Does nothing if the caller no longer waits.
  ///
  /// - Parameter isKept: whether the load continues even if this was the last caller.
  /// - Returns: whether the caller was still waiting for an outcome.
  @discardableResult
  package func leave(_ caller: Caller, throwing error: any Error, keeping isKept: Bool = false) -> Bool {
    let end = FlightEnd<Output>.landed(.failure(error))
    let left = table.withLock { $0.leave(caller.flight, caller: caller.number, with: end, keeping: isKept) }
    left?.waker?(end)
    left?.abandoned?.giveUp(caller.flight)
    return left != nil
  }

  /// Records that the current load, if there is one, waits for the caller's load.
  private func enterWait(of caller: Caller) throws -> FlightID? {
    guard let outer = FlightScope.current else { return nil }
    if FlightScope.enterWait(of: outer, for: caller.flight) { return outer }
    withdraw(caller.flight)
    throw StorageError.deadlock.with(
      """
      this load and another wait for each other: a loader must not request the key that it loads, neither directly \
      nor through loaders of other keys
      """
    )
  }

  /// Raises the priority of a load's own task to this task's priority, if it is lower.
  private func liftPriority(of flight: FlightID) {
    table.withLock { $0.task(of: flight) }?.lift(to: Task.currentPriority)
  }
}

private let callerNumbers = Atomic(0)
