extension ReportedTier {
  /// Opens a value. It is reported as a hit or a miss, with the time until the first part can be read.
  @usableFromInline
  package func stream(_ key: Key, _ range: Range<Int>?, _ how: How) async throws -> StoredBytes? {
    guard how.isDisjoint(with: [.quietly, .expiryOnly]), let reporter = active else {
      return try await base.stream(key, range, how)
    }
    return try await reported(by: reporter, "get", key) { start in
      let bytes = try await base.stream(key, range, how)
      reporter.didRead(key, isHit: bytes?.isLive(by: base.clock) == true, start)
      return bytes
    }
  }

  /// Stages a value. Its commit is reported as a write, with the time since the value was staged.
  @usableFromInline
  package func stage(_ key: Key, _ expiry: Expiry?, _ how: How) async throws -> any StagedBytes {
    try await stage(key, expiry, how, .write)
  }

  /// Stages a value whose commit has this effect.
  func stage(
    _ key: Key, _ expiry: Expiry?, _ how: How, _ effect: TierEffect
  ) async throws -> any StagedBytes {
    guard let reporter else { return try await base.stage(key, expiry, how) }
    let start = Unmanaged.passUnretained(reporter).begin()
    do {
      return try await LinkedBytes(base.stage(key, expiry, how)) { commit in
        let unretained = Unmanaged.passUnretained(reporter)
        do {
          let isMade = try await traced("set") { try await commit() }
          unretained.didChange(key, isMade ? effect : .nothing, start)
          return isMade
        } catch {
          unretained.didFail(key, error, start)
          throw error
        }
      }
    } catch {
      Unmanaged.passUnretained(reporter).didFail(key, error, start)
      throw error
    }
  }
}
