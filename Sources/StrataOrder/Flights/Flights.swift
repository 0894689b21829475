/// The in-flight loads of a store. Concurrent misses on one key share a single load, the first caller's; other callers
/// wait for its result.
///
/// A caller enters with `enter`, and either runs the load or joins it:
///
/// - **A load in a task of its own** (`start`) continues if its first caller is cancelled. It is cancelled when its
///   last caller stops waiting, unless it is kept. It inherits no task-local values, and its priority rises to the
///   priority of callers that join.
/// - **A load in the code of its first caller** (`lead`) needs no task. If that caller is cancelled, the others get
///   `.again`.
///
/// Callers wait by suspending (`wait`) or by blocking (`block`), and may share one load. An error of the load is thrown
/// to all of them. Waiting for a load from inside itself, directly or through loads of other keys, throws `.deadlock`.
///
/// The cost is O(1) per caller; the lock is never held while a load runs. Memory is used for in-flight loads only.
package final class Flights<Key: Hashable & Sendable, Output: Sendable>: Sendable {
  typealias Table = FlightTable<Key, Output>

  /// The role of a caller that has entered.
  package enum Entrance: Sendable {
    /// Run the load and then call `end`; `start` and `lead` do both.
    case lead(FlightID)
    /// Call `wait` or `block` for another caller's load.
    case join(FlightID)
  }

  let table = Locked(Table())
  private let executor: (any TaskExecutor)?

  /// - Parameter executor: runs the loads that have tasks of their own; `nil` for Swift's default executor.
  package init(on executor: (any TaskExecutor)? = nil) { self.executor = executor }

  /// Enters a load of a key: joins the open one, or begins a new one.
  ///
  /// - Parameters:
  ///   - waits: whether the caller, if it starts the load, will also `wait` for it. If not, the load is kept.
  ///   - onThread: whether the caller, if it runs the load, does so on its thread, without suspending.
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

  /// Joins the open load of a key. Returns `nil` if there is none.
  package func joinOpen(_ key: Key) -> FlightID? {
    table.withLock { table in
      guard let flight = table.openFlight(of: key) else { return nil }
      table.join(flight)
      return flight
    }
  }

  /// Begins a load without waiting callers, for example a background refresh. Returns `nil` if one is open.
  package func enterAlone(_ key: Key) -> FlightID? {
    table.withLock { table in
      guard table.openFlight(of: key) == nil else { return nil }
      let flight = FlightID()
      table.begin(flight, key: key, callers: 0, isKept: true)
      return flight
    }
  }

  /// Begins an operation that no caller joins. `isOvertaken` returns whether the key has changed since; `giveUp` ends
  /// the operation.
  package func begin(_ key: Key) -> FlightID {
    let flight = FlightID()
    table.withLock { $0.begin(flight, key: key, callers: 0, isKept: true, isOpen: false) }
    return flight
  }

  /// Starts a task that runs a load, and ends the load with the result.
  package func start(
    _ flight: FlightID, _ load: @escaping @Sendable () async throws -> Output
  ) {
    start([flight], as: flight) { [self] in end(flight, with: await Result(of: load)) }
  }

  /// Starts one task that runs several loads. The task is cancelled when no caller waits for any of them.
  ///
  /// `load` must call `end` for each load. If it throws, its error ends the remaining loads.
  ///
  /// - Parameter scope: identifies the task in the detection of deadlocks: the identity of one of the loads, or a new
  ///   one.
  package func start(
    _ flights: [FlightID], as scope: FlightID, _ load: @escaping @Sendable () async throws -> Void
  ) {
    let task = FlightTask(flights, scope: scope)
    let abandoned = table.withLock { table in flights.filter { table.setTask(task, of: $0) } }
    task.run(on: executor) { [self] in
      // A caller that waits for one of several loads of a task waits for all code of the task.
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

  /// Returns the identity of the task that runs a load. It is the same for all loads of one task.
  package func load(of flight: FlightID) -> FlightID {
    table.withLock { $0.task(of: flight) }?.scope ?? flight
  }

  /// Runs a load on this thread, and ends it with the result.
  package func lead(_ flight: FlightID, _ load: () throws -> Output) throws -> Output {
    let outer = FlightScope.current
    if let outer { _ = FlightScope.enterWait(of: outer, for: flight) }
    defer { if let outer { FlightScope.leaveWait(of: outer, for: flight) } }
    let result = Result { try FlightScope.$current.withValue(flight) { try load() } }
    end(flight, with: result)
    return try result.get()
  }

  /// Runs a load in this task, and ends it with the result. If the load throws after the task was cancelled, waiting
  /// callers get `.again`.
  package func lead(_ flight: FlightID, _ load: () async throws -> Output) async throws -> Output {
    let outer = FlightScope.current
    if let outer { _ = FlightScope.enterWait(of: outer, for: flight) }
    defer { if let outer { FlightScope.leaveWait(of: outer, for: flight) } }
    do {
      let output = try await FlightScope.$current.binding(flight, load)
      end(flight, with: .success(output))
      return output
    } catch {
      if Task.isCancelled { giveUp(flight) } else { end(flight, with: .failure(error)) }
      throw error
    }
  }

  /// Ends a load, and wakes its callers.
  package func end(_ flight: FlightID, with result: Result<Output, any Error>) {
    for waker in table.withLock({ $0.end(flight, with: .landed(result)) }) { waker(.landed(result)) }
  }

  /// Ends a load without a result: its callers get `.again`.
  package func giveUp(_ flight: FlightID) {
    for waker in table.withLock({ $0.end(flight, with: .again) }) { waker(.again) }
  }

  /// Ends the wait for a load that is still running. Its callers throw `error`, the next caller loads anew, and the
  /// result must not be stored. Cancels its task if the task serves no other load. Returns whether the load was
  /// running.
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

  /// Leaves a load that this caller has joined, without waiting for it.
  package func withdraw(_ flight: FlightID) { table.withLock { $0.withdraw(flight) }?.giveUp(flight) }

  /// Returns whether a load runs on the thread of its first caller.
  package func isOnThread(_ flight: FlightID) -> Bool { table.withLock { $0.isOnThread(flight) } }

  /// Lets a load continue without waiting callers.
  package func keep(_ flight: FlightID) { table.withLock { $0.keep(flight) } }

  /// Calls `body` if a load has not ended; the load does not end meanwhile. `body` must not use this object.
  package func whileInFlight(_ flight: FlightID, _ body: () -> Void) {
    table.withLock { if $0.isInFlight(flight) { body() } }
  }

  /// Records a change of a key: its in-flight loads are outdated, and no caller joins them any more.
  package func overtake(_ key: Key) { table.withLock { $0.overtake(key) } }

  /// Records changes of some keys.
  package func overtake(_ keys: some Sequence<Key>) {
    table.withLock { table in for key in keys { table.overtake(key) } }
  }

  /// Records that any key may have changed.
  package func overtakeAll() { overtake { _ in true } }

  /// Records changes of some keys by one of the loads, which is not outdated by them.
  package func overtake(by changer: FlightID? = nil, where isChanged: (Key) -> Bool) {
    table.withLock { $0.overtake(where: isChanged, by: changer) }
  }

  /// Returns whether the key has changed since the load began. Also `true` for a load that has ended, once its callers
  /// have received the outcome.
  package func isOvertaken(_ flight: FlightID) -> Bool { table.withLock { $0.isOvertaken(flight) } }

  /// Returns the in-flight load of a key that a caller would join.
  package func open(_ key: Key) -> FlightID? { table.withLock { $0.openFlight(of: key) } }

  /// Returns whether the key has an in-flight load that a caller would join.
  package func isOpen(_ key: Key) -> Bool { open(key) != nil }

  /// The number of loads that have ended. If it is the same after `enter` as before a read of the store, no load has
  /// stored a value meanwhile that the read missed.
  package var landed: Int { table.withLock { $0.landed } }

  /// The number of in-flight loads.
  package var count: Int { table.withLock { $0.count } }

  /// The number of waiting callers.
  package var waiting: Int { table.withLock { $0.waiting } }
}
