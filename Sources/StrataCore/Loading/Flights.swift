/// Concurrent loads of one key share a single load: the first caller's. Others that ask meanwhile wait for its result.
///
/// A caller enters with `enter`, and either leads the load or joins it:
///
/// - **A load in a task of its own** (`start`) goes on when its first caller is cancelled, and is cancelled with the
///   last caller that waits for it, unless it is kept. It inherits no task-local values, and its priority rises to that
///   of the callers that join.
/// - **A load in the code of its first caller** (`lead`) needs no task. If that caller is cancelled, the others are
///   told to look `again`.
///
/// Callers wait by suspending (`wait`) or by blocking (`block`), and may share one load. What a load throws, all that
/// wait for it throw. To wait for a load from inside itself, directly or through loads of other keys, throws
/// `.deadlock`.
///
/// O(1) for each caller; the lock is never held while a load runs. The memory is that of the loads in flight.
package final class Flights<Key: Hashable & Sendable, Output: Sendable>: Sendable {
  typealias Table = FlightTable<Key, Output>

  /// What a caller that entered is to do.
  package enum Entrance: Sendable {
    /// Load, and then `end`: with `start` or `lead`, or by hand.
    case lead(FlightID)
    /// `wait` or `block` for the load of another.
    case join(FlightID)
  }

  let table = Locked(Table())
  private let executor: (any TaskExecutor)?

  /// - Parameter executor: whose threads run loads in tasks of their own; `nil` for those of all tasks.
  package init(on executor: (any TaskExecutor)? = nil) { self.executor = executor }

  /// Enters the flight of a key: joins the one that is open, or begins one.
  ///
  /// - Parameters:
  ///   - waits: whether the caller, if it leads, will `wait` for the flight as well. Otherwise nobody does, and the
  ///     load is kept.
  ///   - onThread: whether the caller, if it leads, loads on its thread, without suspending.
  package func enter(_ key: Key, waits: Bool = true, onThread: Bool = false) -> Entrance {
    table.withLock { table in
      if let flight = table.openFlight(of: key) {
        table.join(flight)
        return .join(flight)
      }
      let flight = FlightID()
      table.begin(
        flight, key: key, callers: waits ? 1 : 0, isKept: !waits, isOnThread: onThread)
      return .lead(flight)
    }
  }

  /// Begins a flight that nobody waits for, unless one is open: a refresh in the background.
  package func enterAlone(_ key: Key) -> FlightID? {
    table.withLock { table in
      guard table.openFlight(of: key) == nil else { return nil }
      let flight = FlightID()
      table.begin(flight, key: key, callers: 0, isKept: true)
      return flight
    }
  }

  /// Runs a load in a task of its own, which ends the flight.
  package func start(
    _ flight: FlightID, _ load: @escaping @Sendable () async throws -> Output
  ) {
    start([flight], as: flight) { [self] in end(flight, with: await Result(of: load)) }
  }

  /// Runs one load in a task of its own for several flights: it is cancelled when all of them are given up.
  ///
  /// `load` calls `end` for each flight. What it throws ends those that it has not ended.
  ///
  /// - Parameter scope: the identity of the load: the flight's own, or that of no flight.
  package func start(
    _ flights: [FlightID], as scope: FlightID, _ load: @escaping @Sendable () async throws -> Void
  ) {
    let task = FlightTask(flights, scope: scope)
    let abandoned = table.withLock { table in flights.filter { table.setTask(task, of: $0) } }
    task.run(on: executor) { [self] in
      // Who waits for one of several flights waits for the code of all of them.
      let others = flights.filter { $0 != scope }
      for flight in others { _ = FlightScope.enterWait(of: flight, for: scope) }
      defer { for flight in others { FlightScope.leaveWait(of: flight, for: scope) } }
      await FlightScope.$current.withValue(scope) {
        let error: any Error
        do {
          try await load()
          error = CancellationError()
        } catch let thrown { error = thrown }
        for flight in flights { end(flight, with: .failure(error)) }
      }
    }
    for flight in abandoned { task.giveUp(flight) }
  }

  /// The load that a flight is part of: the same for all flights that one task serves.
  package func load(of flight: FlightID) -> FlightID {
    table.withLock { $0.task(of: flight) }?.scope ?? flight
  }

  /// Runs a load on this thread as the flight's, and ends it.
  package func lead(_ flight: FlightID, _ load: () throws -> Output) throws -> Output {
    let outer = FlightScope.current
    if let outer { _ = FlightScope.enterWait(of: outer, for: flight) }
    defer { if let outer { FlightScope.leaveWait(of: outer, for: flight) } }
    let result = Result { try FlightScope.$current.withValue(flight) { try load() } }
    end(flight, with: result)
    return try result.get()
  }

  /// Runs a load in this task as the flight's, and ends it. If the task was cancelled and the load throws, callers that
  /// wait look again.
  package func lead(_ flight: FlightID, _ load: () async throws -> Output) async throws -> Output {
    let outer = FlightScope.current
    if let outer { _ = FlightScope.enterWait(of: outer, for: flight) }
    defer { if let outer { FlightScope.leaveWait(of: outer, for: flight) } }
    do {
      let output = try await FlightScope.$current.withValue(flight) { try await load() }
      end(flight, with: .success(output))
      return output
    } catch {
      if Task.isCancelled { giveUp(flight) } else { end(flight, with: .failure(error)) }
      throw error
    }
  }

  /// Ends a flight, and wakes its callers.
  package func end(_ flight: FlightID, with result: Result<Output, any Error>) {
    for waker in table.withLock({ $0.end(flight, with: .landed(result)) }) { waker(.landed(result)) }
  }

  /// Ends a flight without a result: its callers look again.
  package func giveUp(_ flight: FlightID) {
    for waker in table.withLock({ $0.end(flight, with: .again) }) { waker(.again) }
  }

  /// Ends the wait for a load that goes on: its callers throw, the next one loads anew, and the result is not to be
  /// stored. Its task is cancelled, if it serves no other flight. Returns whether the load had not ended.
  @discardableResult
  package func abandon(_ flight: FlightID, throwing error: any Error) -> Bool {
    let (isInFlight, wakers, task) = table.withLock { table in
      let (isInFlight, task) = (table.isInFlight(flight), table.task(of: flight))
      table.overtake(flight)
      return (isInFlight, table.end(flight, with: .landed(.failure(error))), task)
    }
    for waker in wakers { waker(.landed(.failure(error))) }
    task?.giveUp(flight)
    return isInFlight
  }

  /// Leaves a flight that was joined, without waiting for it.
  package func withdraw(_ flight: FlightID) { table.withLock { $0.withdraw(flight) }?.giveUp(flight) }

  /// Whether a load runs on the thread of its first caller.
  package func isOnThread(_ flight: FlightID) -> Bool { table.withLock { $0.isOnThread(flight) } }

  /// Lets a load go on when nobody waits for it.
  package func keep(_ flight: FlightID) { table.withLock { $0.keep(flight) } }

  /// Tells that a key was changed: loads of it that are in flight bring an older value, and nobody joins them any more.
  package func overtake(_ key: Key) { table.withLock { $0.overtake(key) } }

  /// Tells that some keys were changed.
  package func overtake(_ keys: some Sequence<Key>) {
    table.withLock { table in for key in keys { table.overtake(key) } }
  }

  /// Tells that any key may have changed.
  package func overtakeAll() { table.withLock { $0.overtakeAll() } }

  /// Whether the key has been changed since a load of it began; also when the load has ended.
  package func isOvertaken(_ flight: FlightID) -> Bool { table.withLock { $0.isOvertaken(flight) } }

  /// Whether a load of the key is in flight that a caller would join.
  package func isOpen(_ key: Key) -> Bool { table.withLock { $0.openFlight(of: key) != nil } }

  /// How many loads have ended: where this is the same after `enter` as before a look into the store, no load can have
  /// stored meanwhile what the look did not see.
  package var landed: Int { table.withLock { $0.landed } }

  /// How many loads are in flight.
  package var count: Int { table.withLock { $0.count } }

  /// How many callers wait.
  package var waiting: Int { table.withLock { $0.waiting } }
}
