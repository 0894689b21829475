extension ByteTier {
  /// Returns the bytes of an entry: those of the byte store.
  public func stream(_ key: Key, _ range: Range<Int>?, _ how: How) async throws -> StoredBytes? {
    try await base.stream(key, range, how)
  }

  /// Stages a value in the byte store.
  public func stage(_ key: Key, _ expiry: Expiry?, _ how: How) async throws -> any StagedBytes {
    try await base.stage(key, expiry, how)
  }
}

extension HybridStorage {
  /// Returns the bytes of an entry: those of the front if it has the value, otherwise those of the back, which a front
  /// that can store parts stores while they are read.
  public func stream(_ key: Key, _ range: Range<Int>?, _ how: How) async throws -> StoredBytes? {
    try await tiers.stream(key, range, how)
  }

  /// Stages a value in the back. When it is committed, the front drops the key.
  public func stage(_ key: Key, _ expiry: Expiry?, _ how: How) async throws -> any StagedBytes {
    try await tiers.stage(key, expiry, how)
  }
}
