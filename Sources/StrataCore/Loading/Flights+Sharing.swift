extension Flights {
  /// Loads a value in this task, or waits for the load of another caller, and returns what it brings.
  ///
  /// If the caller that loads is cancelled, one of those that wait loads in its place.
  ///
  /// - Parameters:
  ///   - read: what is stored by now; asked before each load, which it spares.
  ///   - load: loads a value and stores it.
  package func share(
    _ key: Key, read: () async throws -> Output?, load: () async throws -> Output
  ) async throws -> Output {
    while true {
      switch enter(key, waits: false) {
      case .lead(let flight):
        return try await lead(flight) {
          if let output = try await read() { return output }
          return try await load()
        }
      case .join(let flight):
        if case .landed(let result) = try await wait(for: flight) { return try result.get() }
        try Task.checkCancellation()
      }
    }
  }

  /// Loads a value on this thread, or waits for the load of another caller, and returns what it brings.
  ///
  /// A thread that belongs to a task, or is inside an operation that others may wait for, does not wait for a load that
  /// needs a thread of the tasks' pool, or that operation: it loads for itself.
  package func share(_ key: Key, read: () throws -> Output?, load: () throws -> Output) throws -> Output {
    while true {
      switch enter(key, waits: false, onThread: true) {
      case .lead(let flight):
        return try lead(flight) {
          if let output = try read() { return output }
          return try load()
        }
      case .join(let flight):
        let isInTask = withUnsafeCurrentTask { $0 != nil }
        if KeyOrder<Key>.isThreadInTurn || isInTask && !isOnThread(flight) {
          withdraw(flight)
          return try load()
        }
        if case .landed(let result) = try block(for: flight) { return try result.get() }
      }
    }
  }
}
