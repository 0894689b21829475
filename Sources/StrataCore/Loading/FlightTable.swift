/// Which callers share which load: the rules of `Flights` without threads, tasks and locks.
///
/// A load is *in flight* from `enter` to `end`. While it is *open*, callers that ask for its key join it. A key has one
/// open flight at most, and may have older ones that are closed: overtaken by a write, or given up.
struct FlightTable<Key: Hashable & Sendable, Output: Sendable>: Sendable {
  /// Wakes one caller with how the flight ended for it.
  typealias Waker = @Sendable (FlightEnd<Output>) -> Void

  private struct Flight {
    let key: Key
    /// Whether the load runs on a thread of its own, and needs none of the tasks' pool to end.
    let isOnThread: Bool
    /// How many callers have entered and neither left nor been told the end.
    var callers: Int
    /// Whether the load goes on when nobody waits for it.
    var isKept: Bool
    var isOvertaken = false
    var wakers: [Int: Waker] = [:]
    /// Callers that were told to leave after they entered and before they waited.
    var early: [Int: FlightEnd<Output>] = [:]
    /// Callers that have left.
    var left: Set<Int> = []
    /// The end, kept until all callers that entered have heard of it.
    var end: FlightEnd<Output>?
    /// The task that loads, where the load does not run in the code of its first caller.
    var task: FlightTask?
  }

  private var flights: [FlightID: Flight] = [:]
  private var open: [Key: FlightID] = [:]
  /// How many flights have ended.
  private(set) var landed = 0

  /// How many loads are in flight.
  var count: Int { flights.count { $0.value.end == nil } }
  /// How many callers wait.
  var waiting: Int { flights.values.reduce(0) { $0 + $1.wakers.count } }

  /// Returns the open flight of a key.
  func openFlight(of key: Key) -> FlightID? { open[key] }

  /// Begins a flight of a key that has no open one. `callers` of it will wait for its end.
  mutating func begin(_ flight: FlightID, key: Key, callers: Int, isKept: Bool, isOnThread: Bool = false) {
    flights[flight] = Flight(key: key, isOnThread: isOnThread, callers: callers, isKept: isKept)
    open[key] = flight
  }

  /// Adds a caller to an open flight; `wait` must follow.
  mutating func join(_ flight: FlightID) { flights[flight]?.callers += 1 }

  /// Takes out a caller that has entered and will not wait. Returns the task to cancel if it was the last one of a
  /// flight that is not kept.
  mutating func withdraw(_ flight: FlightID) -> FlightTask? {
    flights[flight]?.callers -= 1
    forgetIfOver(flight)
    guard let rest = flights[flight], rest.end == nil, rest.callers == 0, !rest.isKept else { return nil }
    overtake(flight)
    return rest.task
  }

  /// Whether a load runs on a thread of its own; also when it has ended.
  func isOnThread(_ flight: FlightID) -> Bool { flights[flight]?.isOnThread ?? true }

  /// Registers how to wake a caller that has entered; returns the end if it has come.
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

  /// Takes out a caller, which hears of `end` when it waits, or now by the waker that is returned. The task that is
  /// returned is to be cancelled: the caller was the last one, and the flight is not kept. `nil` for a caller that has
  /// heard of an end before.
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
    // Nobody is to join a load that is about to be cancelled, and what it still brings is older than what the next one
    // brings.
    overtake(flight)
    return (waker, rest.task)
  }

  /// Forgets a flight that has ended and of whose end all callers have heard.
  private mutating func forgetIfOver(_ flight: FlightID) {
    guard let state = flights[flight], state.end != nil, state.callers == 0, state.early.isEmpty else {
      return
    }
    flights[flight] = nil
  }

  /// Sets the task that loads; returns whether all callers have left before there was one to cancel.
  mutating func setTask(_ task: FlightTask, of flight: FlightID) -> Bool {
    flights[flight]?.task = task
    guard let flight = flights[flight], flight.end == nil else { return false }
    return flight.callers == 0 && !flight.isKept
  }

  /// Returns the task that loads, where the flight has one.
  func task(of flight: FlightID) -> FlightTask? { flights[flight]?.task }

  /// Whether a load has not ended.
  func isInFlight(_ flight: FlightID) -> Bool { flights[flight].map { $0.end == nil } ?? false }

  /// Ends a flight; returns the callers to wake. Those that have entered and do not wait yet are told when they do.
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

  /// Lets a load go on when nobody waits for it.
  mutating func keep(_ flight: FlightID) { flights[flight]?.isKept = true }

  /// Marks the loads of a key as overtaken by a change: their results are older than it, and nobody joins them any
  /// more.
  mutating func overtake(_ key: Key) {
    for (flight, state) in flights where state.key == key { overtake(flight) }
  }

  /// Marks all loads as overtaken.
  mutating func overtakeAll() {
    for flight in flights.keys { overtake(flight) }
  }

  /// Marks one load as overtaken.
  mutating func overtake(_ flight: FlightID) {
    flights[flight]?.isOvertaken = true
    close(flight)
  }

  /// Whether the key has changed since the load began.
  func isOvertaken(_ flight: FlightID) -> Bool { flights[flight]?.isOvertaken ?? true }

  /// Ends the registration of a flight, and not that of a newer one for the same key.
  private mutating func close(_ flight: FlightID) {
    if let key = flights[flight]?.key, open[key] == flight { open[key] = nil }
  }
}

/// How a flight ended for one caller.
package enum FlightEnd<Output: Sendable>: Sendable {
  /// The load returned or threw.
  case landed(Result<Output, any Error>)
  /// Whoever loaded was cancelled and has given up: look again, and load if nobody does.
  case again
}
