extension Flights {
  /// Loads a value in this task, or waits for the load of another caller, and returns what it brings.
  ///
  /// If the caller that loads is cancelled, one of those that wait loads in its place.
  ///
  /// - Parameters:
  ///   - read: what is stored by now; asked before each load, which it spares.
  ///   - load: loads a value.
  ///   - store: stores what was loaded, unless the flight was overtaken.
  package func share(
    _ key: Key, read: () async throws -> Output?, load: () async throws -> Output,
    store: (Output, FlightID) async throws -> Void
  ) async throws -> Output {
    while true {
      switch enter(key, waits: false) {
      case .lead(let flight):
        return try await lead(flight) {
          if let output = try await read() { return output }
          let output = try await load()
          try await store(output, flight)
          return output
        }
      case .join(let flight):
        if case .landed(let result) = try await wait(for: flight) { return try result.get() }
        try Task.checkCancellation()
      }
    }
  }

  /// Loads a value on this thread, or waits for the load of another caller, and returns what it brings.
  ///
  /// A thread that belongs to a task does not wait for a load that needs a thread of the tasks' pool, and one that is
  /// inside an operation of a store does not wait for a load that may need the operation to end: it loads for itself,
  /// and leaves it to the other to store.
  package func share(
    _ key: Key, read: () throws -> Output?, load: () throws -> Output,
    store: (Output, FlightID) throws -> Void
  ) throws -> Output {
    while true {
      switch enter(key, waits: false, onThread: true) {
      case .lead(let flight):
        return try lead(flight) {
          if let output = try read() { return output }
          let output = try load()
          try store(output, flight)
          return output
        }
      case .join(let flight):
        let isInTask = withUnsafeCurrentTask { $0 != nil }
        if !isOwn(flight), KeyOrder<Key>.isThreadInTurn || isInTask && !isOnThread(flight) {
          withdraw(flight)
          return try load()
        }
        if case .landed(let result) = try block(for: flight) { return try result.get() }
      }
    }
  }

  /// Whether this code is part of a load; what would wait for itself then throws, and is not loaded once more.
  private func isOwn(_ flight: FlightID) -> Bool { FlightScope.current == flight }
}
