extension KeyOrder {
  /// Runs `body`, which may suspend, in a key's turn, whatever the stores.
  ///
  /// Callers without `await` that wait for the turn could block all threads of the cooperative pool, so the task runs
  /// on other threads meanwhile.
  package func suspendingTurn<R: Sendable>(
    of key: Key, reads: Bool = false, _ body: () async throws -> R
  ) async throws -> R {
    try await PoolExecutor.shared.run { try await inTurn(of: .key(key), reads: reads, body) }
  }
}

extension StorageCoordinator {
  /// Returns a staged value that is committed in the key's turn, after which the observers are called.
  package func ordering(_ staged: any StagedBytes, _ key: Key) -> any StagedBytes {
    LinkedBytes(staged) { commit in
      defer { self.deliver() }
      return try await self.order.suspendingTurn(of: key, commit)
    }
  }
}

extension SyncStorage {
  /// Opens a value in the key's turn. Its parts are read outside of the turn.
  public func stream(_ key: Key, _ range: Range<Int>?, _ how: How) async throws -> StoredBytes? {
    try await meetingPoint.order.suspendingTurn(of: key, reads: true) {
      try await inner.stream(key, range, how)
    }
  }

  /// Stages a value, which is committed in the key's turn.
  public func stage(_ key: Key, _ expiry: Expiry?, _ how: How) async throws -> any StagedBytes {
    try await meetingPoint.ordering(inner.stage(key, expiry, how), key)
  }
}
