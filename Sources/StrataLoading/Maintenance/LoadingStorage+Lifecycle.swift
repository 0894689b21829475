public import StrataCore

/// Loads in flight end before a program does.
extension LoadingStorage: StorageLifecycle {
  /// The number of loads in flight.
  public var unfinishedOperations: Int { loadsInFlight }

  /// Waits until the loads that are in flight now have ended, and their values are stored. A load that fails has ended
  /// too: its callers get the error. Refreshes that are being gathered do not start.
  public func finish() async throws {
    for load in engine.gatherer.takeAll() { engine.flights.giveUp(load.flight) }
    try await engine.flights.settle()
  }
}
