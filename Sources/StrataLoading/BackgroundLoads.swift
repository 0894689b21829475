import StrataCore

/// Counts the loads that run without a waiting caller.
final class BackgroundLoads: Sendable {
  private struct State: Sendable {
    /// The loads that have begun and not ended. Only these can be counted: a timer may run out after its load has
    /// ended, and nothing would end the count.
    var running: Set<FlightID> = []
    var counted: Set<FlightID> = []
    var lost: Set<FlightID> = []
  }

  private let state = Locked(State())
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  /// Records that a load begins. `end` must follow.
  func begin(_ flight: FlightID) { state.withLock { _ = $0.running.insert(flight) } }

  /// Counts a load as a background load; returns `false` if it has ended, or if the limit is reached.
  func add(_ flight: FlightID) -> Bool {
    state.withLock { $0.running.contains(flight) && insert(flight, into: &$0.counted) }
  }

  /// Counts a load as lost; returns `false` if it has ended, or if the limit is reached.
  func lose(_ flight: FlightID) -> Bool {
    state.withLock { $0.running.contains(flight) && insert(flight, into: &$0.lost) }
  }

  /// Records that a load has ended.
  func end(_ flight: FlightID) {
    state.withLock { state in
      state.running.remove(flight)
      state.counted.remove(flight)
      state.lost.remove(flight)
    }
  }

  private func insert(_ flight: FlightID, into flights: inout Set<FlightID>) -> Bool {
    if flights.contains(flight) { return true }
    guard flights.count < limit else { return false }
    flights.insert(flight)
    return true
  }
}
