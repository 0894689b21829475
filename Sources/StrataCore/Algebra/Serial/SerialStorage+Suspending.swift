extension SerialStorage {
  /// Updates a value with a closure that may suspend. Until the closure has ended, the operations on all keys wait.
  @inlinable
  @discardableResult
  public func update(forKey key: Key, _ modify: (inout Value) async throws -> Void) async throws -> Value {
    try await line.runIsolated {
      try await base.readModifyWrite(
        forKey: key, expiry: { try await storedExpiry($0, forKey: key) }
      ) { value in
        try await OngoingOperation.run { try await modify(&value) }
      }
    }
  }
}
