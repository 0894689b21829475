public import StrataCore

extension MappedKeys: StreamLink {
  @usableFromInline
  func stream(_ key: Key, _ range: Range<Int>?, _ how: How) async throws -> StoredBytes? {
    try await base.stream(inner(key), range, how)
  }

  @usableFromInline
  func stage(_ key: Key, _ expiry: Expiry?, _ how: How) async throws -> any StagedBytes {
    try await base.stage(inner(key), expiry, how)
  }
}
