import Synchronization

extension Flights {
  /// One caller that waits: by it the wait can be ended from outside, by a timeout say.
  package struct Caller: Sendable {
    let number: Int
    let flight: FlightID

    package init(of flight: FlightID) {
      number = callerNumbers.add(1, ordering: .relaxed).newValue
      self.flight = flight
    }
  }

  /// Suspends until a flight that was entered ends. Throws `CancellationError` if this task is cancelled meanwhile, and
  /// `.deadlock` if the flight waits for this code.
  package func wait(for flight: FlightID) async throws -> FlightEnd<Output> {
    try await wait(as: Caller(of: flight))
  }

  /// The same for a caller that can be told to leave.
  package func wait(as caller: Caller) async throws -> FlightEnd<Output> {
    let outer = try enterWait(of: caller)
    defer { if let outer { FlightScope.leaveWait(of: outer, for: caller.flight) } }
    liftPriority(of: caller.flight)
    let end = await withTaskCancellationHandler {
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

  /// Blocks this thread until a flight that was entered ends. Throws `.deadlock` if the flight waits for this code.
  package func block(for flight: FlightID) throws -> FlightEnd<Output> {
    try block(as: Caller(of: flight))
  }

  /// The same for a caller that can be told to leave.
  package func block(as caller: Caller) throws -> FlightEnd<Output> {
    let outer = try enterWait(of: caller)
    defer { if let outer { FlightScope.leaveWait(of: outer, for: caller.flight) } }
    let box = SignalBox<FlightEnd<Output>>()
    let end = table.withLock { table in
      table.wait(for: caller.flight, caller: caller.number) { box.put($0) }
    }
    return end ?? box.take()
  }

  /// Ends the wait of one caller, which throws. Does nothing if it does not wait any more.
  ///
  /// - Parameter isKept: whether the load goes on even if this was the last caller.
  /// - Returns: whether the caller had not heard of an end.
  @discardableResult
  package func leave(_ caller: Caller, throwing error: any Error, keeping isKept: Bool = false) -> Bool {
    let end = FlightEnd<Output>.landed(.failure(error))
    let left = table.withLock { $0.leave(caller.flight, caller: caller.number, with: end, keeping: isKept) }
    left?.waker?(end)
    left?.abandoned?.giveUp(caller.flight)
    return left != nil
  }

  /// Notes that the current flight, if this is code of one, waits for the caller's.
  private func enterWait(of caller: Caller) throws -> FlightID? {
    guard let outer = FlightScope.current else { return nil }
    if FlightScope.enterWait(of: outer, for: caller.flight) { return outer }
    withdraw(caller.flight)
    throw StorageError.deadlock.with(
      """
      this load waits for one that waits for it: a loader must not ask for the key that it loads, also not through \
      loaders of other keys
      """
    )
  }

  /// Lets a load that runs in a task of its own run with at least the priority of this task.
  private func liftPriority(of flight: FlightID) {
    table.withLock { $0.task(of: flight) }?.lift(to: Task.currentPriority)
  }
}

private let callerNumbers = Atomic(0)
