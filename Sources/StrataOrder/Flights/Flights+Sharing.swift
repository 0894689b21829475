extension Flights {
  /// Loads a value in this task, or waits for another caller's load. Returns the result.
  ///
  /// If the loading caller is cancelled, one of the waiting callers loads in its place.
  ///
  /// - Parameters:
  ///   - read: returns the stored value, if there is one by now. Called before each load, which it may save.
  ///   - load: loads the value.
  ///   - store: stores the loaded value, unless the load is outdated.
  package func share(
    _ key: Key, read: () async throws -> Output?, load: () async throws -> Output,
    store: (Output, FlightID) async throws -> Void
  ) async throws -> Output {
    while true {
      switch enter(key, waits: false) {
      case .lead(let flight):
        return try await lead(flight) {
          if let output = try await read() { return found(output, by: flight) }
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

  /// Loads a value on this thread, or waits for another caller's load. Returns the result.
  ///
  /// In two cases the thread does not wait, but loads by itself and leaves storing to the other caller. A thread that
  /// runs a task does not wait for a load that needs a thread of the cooperative pool. A thread inside an operation of
  /// a store does not wait for a load that may need the operation to end.
  package func share(
    _ key: Key, read: () throws -> Output?, load: () throws -> Output,
    store: (Output, FlightID) throws -> Void
  ) throws -> Output {
    while true {
      switch enter(key, waits: false, onThread: true) {
      case .lead(let flight):
        return try lead(flight) {
          if let output = try read() { return found(output, by: flight) }
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

  /// Ends a load for which the store had a value. Only the caller that has found it returns it: another one may have
  /// begun after its removal.
  private func found(_ output: Output, by flight: FlightID) -> Output {
    giveUp(flight)
    return output
  }

  /// Loads a value in a task of its own, or waits for another caller's load. Returns the result, and whether this
  /// caller has begun the load.
  package func join(
    _ key: Key, _ load: @escaping @Sendable (FlightID) async throws -> Output
  ) async throws -> (output: Output, isFirst: Bool) {
    while true {
      switch enter(key) {
      case .lead(let flight):
        start(flight) { try await load(flight) }
        if case .landed(let result) = try await wait(for: flight) { return (try result.get(), true) }
      case .join(let flight):
        if case .landed(let result) = try await wait(for: flight) { return (try result.get(), false) }
      }
    }
  }

  /// Returns whether this code is part of the load. Waiting for it then throws, and the value is not loaded again.
  private func isOwn(_ flight: FlightID) -> Bool { FlightScope.current == flight }
}
