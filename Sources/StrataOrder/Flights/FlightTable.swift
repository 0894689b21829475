/// The table of loads and the callers that share them: the rules of `Flights` without threads, tasks and locks.
///
/// A load is *in flight* from `enter` to `end`. While it is *open*, callers of its key join it. A key has at most one
/// open load, and may have older closed ones, which a write has outdated or whose callers have cancelled.
struct FlightTable<Key: Hashable & Sendable, Output: Sendable>: Sendable {
  /// A closure that wakes one caller with the outcome of the load.
  typealias Waker = @Sendable (FlightEnd<Output>) -> Void

  /// One load. A class: generic code reads and changes it in place, which copies nothing.
  ///
  /// Unchecked: it belongs to one table, which is used under the lock of its `Flights`.
  private final class Flight: @unchecked Sendable {
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
    /// Whether there is an outcome.
    var hasEnded = false
    /// The load's own task, or `nil` if it runs in the code of its first caller.
    var task: FlightTask?

    init(key: Key, callers: Int, isKept: Bool, isOnThread: Bool) {
      self.key = key
      self.callers = callers
      self.isKept = isKept
      self.isOnThread = isOnThread
    }

    /// Whether no caller needs the load any more.
    var isAbandoned: Bool { !hasEnded && callers == 0 && !isKept }
    /// Whether the load has ended, and all its callers have received the outcome.
    var isOver: Bool { hasEnded && callers == 0 && early.isEmpty }
  }

  private var flights: [FlightID: Flight] = [:]
  private var open: [Key: FlightID] = [:]
  /// The number of loads that have ended.
  private(set) var landed = 0

  /// The in-flight loads.
  var inFlight: [FlightID] { flights.filter { !$0.value.hasEnded }.map(\.key) }
  /// The number of in-flight loads.
  var count: Int { flights.count { !$0.value.hasEnded } }
  /// The number of waiting callers.
  var waiting: Int { flights.values.reduce(0) { $0 + $1.wakers.count } }

  /// Returns the open load of a key.
  func openFlight(of key: Key) -> FlightID? { open[key] }

  /// Begins a load of a key that has no open one. `callers` is the number of callers that will wait for it.
  mutating func begin(
    _ flight: FlightID, key: Key, callers: Int, isKept: Bool, isOnThread: Bool = false, isOpen: Bool = true
  ) {
    flights[flight] = Flight(key: key, callers: callers, isKept: isKept, isOnThread: isOnThread)
    if isOpen { open[key] = flight }
  }

  /// Adds a caller to an open load. `wait` must follow.
  func join(_ flight: FlightID) { flights[flight]?.callers += 1 }

  /// Removes a caller that has entered and will not wait. Returns the task to cancel if it was the last caller of a
  /// load that is not kept.
  mutating func withdraw(_ id: FlightID) -> FlightTask? {
    guard let flight = flights[id] else { return nil }
    flight.callers -= 1
    forget(id, ifOver: flight)
    return abandoned(id, flight)
  }

  /// Returns whether a load runs on its caller's thread. Also `true` for a load that is no longer in the table.
  func isOnThread(_ flight: FlightID) -> Bool { flights[flight]?.isOnThread ?? true }

  /// Registers the waker of a caller that has entered. Returns the outcome instead if the load has ended.
  mutating func wait(for id: FlightID, caller: Int, _ waker: @escaping Waker) -> FlightEnd<Output>? {
    guard let flight = flights[id] else { return .again }
    if let end = flight.early.removeValue(forKey: caller) {
      forget(id, ifOver: flight)
      return end
    }
    if let end = flight.end {
      flight.callers -= 1
      forget(id, ifOver: flight)
      return end
    }
    flight.wakers[caller] = waker
    return nil
  }

  /// Removes a caller with the outcome `end`, which the returned waker must pass to it; without a waker it receives the
  /// outcome when it waits. The returned task must be cancelled: the caller was the last one, and the load is not kept.
  /// Returns `nil` for a caller that has already received an outcome.
  mutating func leave(
    _ id: FlightID, caller: Int, with end: FlightEnd<Output>, keeping isKept: Bool
  ) -> (waker: Waker?, abandoned: FlightTask?)? {
    guard let flight = flights[id], !flight.hasEnded, flight.left.insert(caller).inserted else { return nil }
    let waker = flight.wakers.removeValue(forKey: caller)
    if waker == nil { flight.early[caller] = end }
    if isKept { flight.isKept = true }
    flight.callers -= 1
    return (waker, abandoned(id, flight))
  }

  /// Closes a load that no caller needs any more, and returns its task: no caller may join a load that is about to be
  /// cancelled, and its result may be older than the next load's.
  private mutating func abandoned(_ id: FlightID, _ flight: Flight) -> FlightTask? {
    guard flight.isAbandoned else { return nil }
    overtake(id, flight)
    return flight.task
  }

  /// Removes a load that has ended once all its callers have received the outcome.
  private mutating func forget(_ id: FlightID, ifOver flight: Flight) {
    if flight.isOver { flights[id] = nil }
  }

  /// Sets the load's task. Returns whether the task must be cancelled, since all callers have already left.
  func setTask(_ task: FlightTask, of flight: FlightID) -> Bool {
    guard let flight = flights[flight] else { return false }
    flight.task = task
    return flight.isAbandoned
  }

  /// Returns the load's own task, or `nil` if it has none.
  func task(of flight: FlightID) -> FlightTask? { flights[flight]?.task }

  /// Returns whether a load has not ended.
  func isInFlight(_ flight: FlightID) -> Bool { flights[flight].map { !$0.hasEnded } ?? false }

  /// Ends a load. Returns the wakers of its callers. Callers that do not wait yet receive the outcome when they do.
  mutating func end(_ id: FlightID, with end: FlightEnd<Output>) -> [Waker] {
    guard let flight = flights[id] else { return [] }
    close(id, flight)
    if flight.hasEnded { return [] }
    flight.task?.end(id)
    flight.task = nil
    let wakers = Array(flight.wakers.values)
    flight.wakers = [:]
    flight.callers -= wakers.count
    flight.hasEnded = true
    landed += 1
    if flight.isOver { flights[id] = nil } else { flight.end = end }
    return wakers
  }

  /// Lets a load continue without waiting callers.
  func keep(_ flight: FlightID) { flights[flight]?.isKept = true }

  /// Marks the open load of a key as outdated by a change: its result may be older than the change, and no caller joins
  /// it any more.
  mutating func overtake(_ key: Key) {
    // Its older loads were marked when they were closed.
    if let flight = open[key] { overtake(flight) }
  }

  /// Marks the loads of some keys as outdated, but not `changer`.
  mutating func overtake(where isChanged: (Key) -> Bool, by changer: FlightID? = nil) {
    for (id, flight) in flights where id != changer && isChanged(flight.key) { overtake(id, flight) }
  }

  /// Marks one load as outdated.
  mutating func overtake(_ id: FlightID) {
    if let flight = flights[id] { overtake(id, flight) }
  }

  private mutating func overtake(_ id: FlightID, _ flight: Flight) {
    flight.isOvertaken = true
    close(id, flight)
  }

  /// Returns whether the key has changed since the load began.
  func isOvertaken(_ flight: FlightID) -> Bool { flights[flight]?.isOvertaken ?? true }

  /// Closes a load, but not a newer load of the same key.
  private mutating func close(_ id: FlightID, _ flight: Flight) {
    if open[flight.key] == id { open[flight.key] = nil }
  }
}

/// The outcome of a load for one caller.
package enum FlightEnd<Output: Sendable>: Sendable {
  /// The load returned or threw.
  case landed(Result<Output, any Error>)
  /// The caller that ran the load was cancelled. Read the store again, and load the value if no other caller does.
  case again
}
