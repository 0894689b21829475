public import StrataCore

extension SerialStorage: StreamLink {
  /// Opens a value in the store's turn. Its parts are read outside of the turn.
  public func stream(_ key: Key, _ range: Range<Int>?, _ how: How) async throws -> StoredBytes? {
    try await line.run { try await base.stream(key, range, how) }
  }

  /// Stages a value, which is committed in the store's turn.
  public func stage(_ key: Key, _ expiry: Expiry?, _ how: How) async throws -> any StagedBytes {
    try await LinkedBytes(base.stage(key, expiry, how)) { commit in
      try await line.change { try await commit() }
    }
  }
}
