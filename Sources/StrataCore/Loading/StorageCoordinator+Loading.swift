extension StorageCoordinator {
  /// Returns the value that `read` finds, or else loads it, or waits for another caller's load, and stores it in the
  /// key's turn, unless a change has overtaken the load.
  ///
  /// - Parameter mark: as in `SharedLoads.load`.
  package func load<Value: Sendable>(
    _ key: Key, expiry: Expiry?, into store: some SyncStorageAware<Key, Value>,
    since mark: LoadMark? = nil, read: () throws -> Value?, _ load: () throws -> Value
  ) throws -> Value {
    try loads.load(key, since: mark, read: read, load) { object, isValid in
      defer { deliver() }
      try order.withTurn(.key(key)) {
        if isValid() { _ = try store.change(key, .setIfAbsent(object, expiry), []) }
      }
    }
  }

  /// Returns the value that `read` finds, or else loads it asynchronously, or waits for another caller's load, and
  /// stores it in the key's turn, unless a change has overtaken the load.
  ///
  /// - Parameter mark: as in `SharedLoads.load`.
  package func load<Value: Sendable>(
    _ key: Key, expiry: Expiry?, into store: some StorageAware<Key, Value>, since mark: LoadMark? = nil,
    read: () async throws -> Value?, _ load: () async throws -> Value
  ) async throws -> Value {
    try await loads.load(key, since: mark, read: read, load) { object, isValid in
      defer { deliver() }
      try await order.suspendingTurn(of: key) {
        if isValid() { _ = try await store.change(key, .setIfAbsent(object, expiry), []) }
      }
    }
  }
}
