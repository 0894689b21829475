/// The table of loads and the callers that share them: the rules of `Flights` without threads, tasks and locks.
///
/// A load is *in flight* from `enter` to `end`. While it is *open*, callers of its key join it. A key has at most one
/// open load, and may have older closed ones, which a write has outdated or whose callers have cancelled.
struct FlightTable<Key: Hashable & Sendable, Output: Sendable>: Sendable {
  /// A closure that wakes one caller with the outcome of the load.
  typealias Waker = @Sendable (FlightEnd<Output>) -> Void

  private struct Flight {
    let key: Key
    /// Whether the load runs on its caller's thread, so that it needs no thread of the cooperative pool to end.
    let isOnThread: Bool
    /// The number of callers that have entered, and have neither left nor received the outcome.
    var callers: Int
    /// Whether the load continues without waiting callers.
    var isKept: Bool
    var isOvertaken = false
    var wakers: [Int: Waker] = [:]
    /// The outcomes of callers that were made to leave between entering and waiting.
    var early: [Int: FlightEnd<Output>] = [:]
    /// The callers that have left.
    var left: Set<Int> = []
    /// The outcome, kept until all callers that entered have received it.
    var end: FlightEnd<Output>?
    /// The load's own task, or `nil` if it runs in the code of its first caller.
    var task: FlightTask?
  }

  private var flights: [FlightID: Flight] = [:]
  private var open: [Key: FlightID] = [:]
  /// The number of loads that have ended.
  private(set) var landed = 0

  /// The number of in-flight loads.
  var count: Int { flights.count { $0.value.end == nil } }
  /// The number of waiting callers.
  var waiting: Int { flights.values.reduce(0) { $0 + $1.wakers.count } }

  /// Returns the open load of a key.
  func openFlight(of key: Key) -> FlightID? { open[key] }

  /// Begins a load of a key that has no open one. `callers` is the number of callers that will wait for it.
  mutating func begin(_ flight: FlightID, key: Key, callers: Int, isKept: Bool, isOnThread: Bool = false) {
    flights[flight] = Flight(key: key, isOnThread: isOnThread, callers: callers, isKept: isKept)
    open[key] = flight
  }

  /// Adds a caller to an open load. `wait` must follow.
  mutating func join(_ flight: FlightID) { flights[flight]?.callers += 1 }

  /// Removes a caller that has entered and will not wait. Returns the task to cancel if it was the last caller of a
  /// load that is not kept.
  mutating func withdraw(_ flight: FlightID) -> FlightTask? {
    flights[flight]?.callers -= 1
    forgetIfOver(flight)
    guard let rest = flights[flight], rest.end == nil, rest.callers == 0, !rest.isKept else { return nil }
    overtake(flight)
    return rest.task
  }

  /// Returns whether a load runs on its caller's thread. Also `true` for a load that is no longer in the table.
  func isOnThread(_ flight: FlightID) -> Bool { flights[flight]?.isOnThread ?? true }

  /// Registers the waker of a caller that has entered. Returns the outcome instead if the load has ended.
  mutating func wait(for flight: FlightID, caller: Int, _ waker: @escaping Waker) -> FlightEnd<Output>? {
    guard let state = flights[flight] else { return .again }
    if let end = state.early[caller] {
      flights[flight]?.early[caller] = nil
      forgetIfOver(flight)
      return end
    }
    if let end = state.end {
      flights[flight]?.callers -= 1
      forgetIfOver(flight)
      return end
    }
    flights[flight]?.wakers[caller] = waker
    return nil
  }

  /// Removes a caller with the outcome `end`, which the returned waker must pass to it; without a waker it receives the
  /// outcome when it waits. The returned task must be cancelled: the caller was the last one, and the load is not kept.
  /// Returns `nil` for a caller that has already received an outcome.
  mutating func leave(
    _ flight: FlightID, caller: Int, with end: FlightEnd<Output>, keeping isKept: Bool
  ) -> (waker: Waker?, abandoned: FlightTask?)? {
    guard let state = flights[flight], state.end == nil, !state.left.contains(caller) else { return nil }
    let waker = state.wakers[caller]
    flights[flight]?.wakers[caller] = nil
    flights[flight]?.left.insert(caller)
    if waker == nil { flights[flight]?.early[caller] = end }
    if isKept { flights[flight]?.isKept = true }
    flights[flight]?.callers -= 1
    guard let rest = flights[flight], rest.callers == 0, !rest.isKept else { return (waker, nil) }
    // No caller may join a load that is about to be cancelled, and its result may be older than that of the next load.
    overtake(flight)
    return (waker, rest.task)
  }

  /// Removes a load that has ended once all its callers have received the outcome.
  private mutating func forgetIfOver(_ flight: FlightID) {
    guard let state = flights[flight], state.end != nil, state.callers == 0, state.early.isEmpty else {
      return
    }
    flights[flight] = nil
  }

  /// Sets the load's task. Returns whether the task must be cancelled, since all callers have already left.
  mutating func setTask(_ task: FlightTask, of flight: FlightID) -> Bool {
    flights[flight]?.task = task
    guard let flight = flights[flight], flight.end == nil else { return false }
    return flight.callers == 0 && !flight.isKept
  }

  /// Returns the load's own task, or `nil` if it has none.
  func task(of flight: FlightID) -> FlightTask? { flights[flight]?.task }

  /// Whether a load has not ended.
  func isInFlight(_ flight: FlightID) -> Bool { flights[flight].map { $0.end == nil } ?? false }

  /// Ends a load. Returns the wakers of its callers. Callers that do not wait yet receive the outcome when they do.
  mutating func end(_ flight: FlightID, with end: FlightEnd<Output>) -> [Waker] {
    close(flight)
    guard let ended = flights[flight], ended.end == nil else { return [] }
    ended.task?.end(flight)
    flights[flight]?.callers -= ended.wakers.count
    flights[flight]?.wakers = [:]
    flights[flight]?.task = nil
    landed += 1
    flights[flight]?.end = end
    forgetIfOver(flight)
    return Array(ended.wakers.values)
  }

  /// Lets a load continue without waiting callers.
  mutating func keep(_ flight: FlightID) { flights[flight]?.isKept = true }

  /// Marks the loads of a key as outdated by a change: their results may be older than the change, and no caller joins
  /// them any more.
  mutating func overtake(_ key: Key) {
    for (flight, state) in flights where state.key == key { overtake(flight) }
  }

  /// Marks all loads as outdated.
  mutating func overtakeAll() {
    for flight in flights.keys { overtake(flight) }
  }

  /// Marks one load as outdated.
  mutating func overtake(_ flight: FlightID) {
    flights[flight]?.isOvertaken = true
    close(flight)
  }

  /// Returns whether the key has changed since the load began.
  func isOvertaken(_ flight: FlightID) -> Bool { flights[flight]?.isOvertaken ?? true }

  /// Closes a load, but not a newer load of the same key.
  private mutating func close(_ flight: FlightID) {
    if let key = flights[flight]?.key, open[key] == flight { open[key] = nil }
  }
}

/// The outcome of a load for one caller.
package enum FlightEnd<Output: Sendable>: Sendable {
  /// The load returned or threw.
  case landed(Result<Output, any Error>)
  /// The caller that ran the load was cancelled. Read the store again, and load the value if no other caller does.
  case again
}
