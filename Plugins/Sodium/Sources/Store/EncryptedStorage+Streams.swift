public import StrataCore

extension EncryptedStorage: StreamLink {
  /// The encryption of the parts of a key's value. A part that is moved to another place, or to another value, cannot
  /// be decrypted there.
  func coder(_ key: Key) -> PartCoder {
    PartCoder(encode: { try seal($0, forKey: key) }, decode: { try openPart($0, forKey: key) })
  }

  /// Opens a value, whose parts are decrypted as they are read. It is not stored again if it uses an older key.
  public func stream(_ key: Key, _ range: Range<Int>?, _ how: How) async throws -> StoredBytes? {
    try await coder(key).reading(range) { try await base.stream(key, nil, how.subtracting(.inTurn)) }
  }

  /// Stages a value, whose parts are encrypted as they are appended. `reencrypt` waits until it is committed or
  /// discarded.
  public func stage(_ key: Key, _ expiry: Expiry?, _ how: How) async throws -> any StagedBytes {
    let write = PendingWrite(writes)
    let staged = LinkedBytes(try await base.stage(key, expiry, how.subtracting(.inTurn))) { commit in
      defer { write.end() }
      guard let line = rewriting.line else { return try await commit() }
      return try await line.suspendingTurn(of: key, commit)
    }
    return coder(key).staging(over: staged)
  }
}

/// A write in progress, which ends with the commit, or with this object.
private final class PendingWrite: Sendable {
  private let writes: PendingWrites
  private let generation: Locked<Int?>

  init(_ writes: PendingWrites) {
    self.writes = writes
    generation = Locked(writes.begin())
  }

  deinit { end() }

  func end() {
    let generation = generation.withLock { generation in
      defer { generation = nil }
      return generation
    }
    if let generation { writes.end(generation) }
  }
}
