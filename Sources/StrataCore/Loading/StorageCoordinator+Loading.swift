extension StorageCoordinator {
  /// Returns a value that `read` does not find: loads it, or waits for another caller's load, and stores it in the
  /// key's turn, unless a change has overtaken the load.
  package func load<Value: Sendable>(
    _ key: Key, expiry: Expiry?, into store: some SyncStorageAware<Key, Value>, read: () throws -> Value?,
    _ load: () throws -> Value
  ) throws -> Value {
    let flights = loads.flights(of: Value.self)
    return try flights.share(key, read: read, load: load) { object, flight in
      defer { deliver() }
      try order.withTurn(.key(key)) {
        if flights.isOvertaken(flight) { return }
        _ = try store.storeIfAbsent(object, forKey: key, expiry: expiry)
      }
    }
  }

  /// The same with an asynchronous load.
  package func load<Value: Sendable>(
    _ key: Key, expiry: Expiry?, into store: some StorageAware<Key, Value>, read: () async throws -> Value?,
    _ load: () async throws -> Value
  ) async throws -> Value {
    let flights = loads.flights(of: Value.self)
    return try await flights.share(key, read: read, load: load) { object, flight in
      defer { deliver() }
      try await order.withTurn(.key(key)) {
        if flights.isOvertaken(flight) { return }
        _ = try await store.storeIfAbsent(object, forKey: key, expiry: expiry)
      }
    }
  }
}
