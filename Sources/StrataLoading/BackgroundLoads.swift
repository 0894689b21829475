import StrataCore

/// Counts the loads that run without a waiting caller.
final class BackgroundLoads: Sendable {
  private let flights = Locked<Set<FlightID>>([])
  private let lost = Locked<Set<FlightID>>([])
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  /// Counts a load as a background load; returns `false` if the limit is reached.
  func add(_ flight: FlightID) -> Bool { Self.add(flight, to: flights, limit: limit) }
  /// Counts a load as lost; returns `false` if the limit is reached.
  func lose(_ flight: FlightID) -> Bool { Self.add(flight, to: lost, limit: limit) }

  func contains(_ flight: FlightID) -> Bool { flights.withLock { $0.contains(flight) } }

  func end(_ flight: FlightID) {
    flights.withLock { _ = $0.remove(flight) }
    lost.withLock { _ = $0.remove(flight) }
  }

  private static func add(_ flight: FlightID, to flights: borrowing Locked<Set<FlightID>>, limit: Int) -> Bool
  {
    flights.withLock { flights in
      if flights.contains(flight) { return true }
      guard flights.count < limit else { return false }
      flights.insert(flight)
      return true
    }
  }
}
