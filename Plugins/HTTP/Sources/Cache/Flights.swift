import StrataCore

/// Shares in-flight loads: the first caller starts a load, and concurrent callers with an equal key wait for its
/// result.
///
/// A load runs in its own task, so that the cancellation of one caller does not end it. When the last caller is
/// cancelled, the load is cancelled too.
final class Flights<Errand: Hashable & Sendable, Output: Sendable>: Sendable {
  typealias Ticket = Int

  private struct Flight {
    /// The key by which other callers can join; `nil` for a load of one caller.
    let errand: Errand?
    let target: String
    /// Whether it continues when no caller waits for it.
    let isKept: Bool
    var waiters: [Ticket: CheckedContinuation<Output, any Error>] = [:]
    var task: Task<Void, Never>?
    /// Whether its target has changed since it started.
    var isOvertaken = false
  }

  private struct State {
    var lastTicket = 0
    var flights: [Ticket: Flight] = [:]
    /// The loads that can still be joined.
    var open: [Errand: Ticket] = [:]
    var cancelledEarly: Set<Ticket> = []

    mutating func ticket() -> Ticket {
      lastTicket += 1
      return lastTicket
    }

    mutating func close(_ flight: Ticket) {
      if let errand = flights[flight]?.errand, open[errand] == flight { open[errand] = nil }
    }
  }

  private let state = Locked(State())

  /// Waits for the load with this key, and starts it if there is none. Returns its output, and whether this caller
  /// started it.
  func join(
    _ errand: Errand, target: String, _ run: @escaping @Sendable (Ticket) async throws -> Output
  ) async throws -> (output: Output, isFirst: Bool) {
    let waiter = state.withLock { $0.ticket() }
    let isFirst = Locked(false)
    defer { state.withLock { _ = $0.cancelledEarly.remove(waiter) } }
    let output = try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (isCancelled, started) = state.withLock { state in
          if state.cancelledEarly.contains(waiter) { return (true, nil as Ticket?) }
          if let flight = state.open[errand] {
            state.flights[flight]?.waiters[waiter] = continuation
            return (false, nil)
          }
          let flight = Flight(errand: errand, target: target, isKept: false, waiters: [waiter: continuation])
          // The first caller's ticket is also the ticket of the load.
          state.flights[waiter] = flight
          state.open[errand] = waiter
          return (false, waiter)
        }
        if isCancelled { return continuation.resume(throwing: CancellationError()) }
        guard let started else { return }
        isFirst.withLock { $0 = true }
        start(started, run)
      }
    } onCancel: {
      leave(waiter)
    }
    return (output, isFirst.withLock { $0 })
  }

  /// Starts the load unless one is in flight, without waiting for it.
  func begin(_ errand: Errand, target: String, _ run: @escaping @Sendable (Ticket) async throws -> Output) {
    let started = state.withLock { state in
      guard state.open[errand] == nil else { return nil as Ticket? }
      let flight = state.ticket()
      state.flights[flight] = Flight(errand: errand, target: target, isKept: true)
      state.open[errand] = flight
      return flight
    }
    if let started { start(started, run) }
  }

  /// Registers a caller that is about to change a target, so that it can detect other changes since.
  func watch(_ target: String) -> Ticket {
    state.withLock { state in
      let ticket = state.ticket()
      state.flights[ticket] = Flight(errand: nil, target: target, isKept: true)
      return ticket
    }
  }

  /// Ends a registration by `watch`.
  func end(_ ticket: Ticket) { state.withLock { _ = $0.flights.removeValue(forKey: ticket) } }

  /// Marks the in-flight loads of a target as outdated after a change. No caller can join them any more.
  ///
  /// - Parameter changer: The load that changed the target, which is not marked.
  func overtake(_ target: String, by changer: Ticket) {
    state.withLock { state in
      for (ticket, flight) in state.flights where flight.target == target && ticket != changer {
        state.flights[ticket]?.isOvertaken = true
        state.close(ticket)
      }
    }
  }

  /// Whether the target has changed since the load started.
  func isOvertaken(_ flight: Ticket) -> Bool { state.withLock { $0.flights[flight]?.isOvertaken ?? true } }

  /// Whether no load is in flight.
  var isEmpty: Bool { state.withLock { $0.flights.isEmpty } }

  /// The number of waiting callers.
  var waiting: Int { state.withLock { $0.flights.values.reduce(0) { $0 + $1.waiters.count } } }

  private func start(_ flight: Ticket, _ run: @escaping @Sendable (Ticket) async throws -> Output) {
    let task = Task {
      let result: Result<Output, any Error>
      do { result = .success(try await run(flight)) } catch { result = .failure(error) }
      let waiters = state.withLock { state in
        state.close(flight)
        return state.flights.removeValue(forKey: flight)?.waiters ?? [:]
      }
      for waiter in waiters.values { waiter.resume(with: result) }
    }
    let isAlone = state.withLock { state in
      state.flights[flight]?.task = task
      // Its caller may have left before there was a task to cancel.
      return state.flights[flight].map { !$0.isKept && $0.waiters.isEmpty } ?? false
    }
    if isAlone { task.cancel() }
  }

  private func leave(_ waiter: Ticket) {
    let (continuation, task) = state.withLock { state in
      guard let flight = state.flights.first(where: { $0.value.waiters[waiter] != nil })?.key else {
        state.cancelledEarly.insert(waiter)
        return (nil as CheckedContinuation<Output, any Error>?, nil as Task<Void, Never>?)
      }
      let continuation = state.flights[flight]?.waiters.removeValue(forKey: waiter)
      guard let rest = state.flights[flight], rest.waiters.isEmpty, !rest.isKept else {
        return (continuation, nil)
      }
      state.close(flight)
      return (continuation, rest.task)
    }
    continuation?.resume(throwing: CancellationError())
    task?.cancel()
  }
}
