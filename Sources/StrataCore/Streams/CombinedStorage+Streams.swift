extension CombinedStorage {
  /// Opens the front's value, or else the back's.
  @usableFromInline
  package func stream(_ key: Key, _ range: Range<Int>?, _ how: How) async throws -> StoredBytes? {
    if how.contains(.inTurn) { return try await streamInTurn(key, range, how) }
    return try await order.suspendingTurn(of: key, reads: true) { try await streamInTurn(key, range, how) }
  }

  private func streamInTurn(_ key: Key, _ range: Range<Int>?, _ how: How) async throws -> StoredBytes? {
    let watch = coherence?.watch([key])
    let isSuspect = isSuspect(key)
    let inFront = isSuspect ? nil : try await front.stream(key, range, [])
    if let inFront, inFront.isLive(by: clock) { return inFront }
    if !isSuspect, let fill = fills.bytes(of: key), fill.value.isLive(by: clock) {
      return fill.bytes.reading(range)
    }
    guard let inBack = try await back.stream(key, range, []) else { return inFront }
    guard inBack.isLive(by: clock), inBack.range.count == inBack.length, inBack.length > 0, front.keepsParts
    else {
      return inBack
    }
    return await filling(key, inBack, watch, how)
  }

  /// Returns the bytes of the back, which are stored in the front while they are read.
  private func filling(
    _ key: Key, _ inBack: StoredBytes, _ watch: ReadWatch<Key>?, _ how: How
  ) async -> StoredBytes {
    let id = fills.begin()
    // The writes of a chain that has the key's turn are in the order of its coordinator.
    let order = how.contains(.inTurn) ? coordinator?.order ?? order : order
    let staged: any StagedBytes
    do { staged = try await front.stage(key, lifetime(inBack.expiry), [], .promotion) } catch {
      // The front has reported its error; the value is read without it.
      return inBack
    }
    let fill = SharedBytes(inBack, isRepeatable: true, staging: staged) { staged in
      try await order.suspendingTurn(of: key) {
        guard fills.end(key, id) else { return false }
        guard let watch else { return try await staged.commit(ifAbsent: false) }
        var isStored = false
        try await watch.putting(key) {
          isStored = try await staged.commit(ifAbsent: false)
        } drop: {
          try await front.base.change(key, .remove, [])
        }
        return isStored
      }
    }
    fills.add(fill, key, id) { watch?.isOutdated(key) != true }
    return fill.bytes
  }

  /// Stages a value in the back. When it is committed, the front drops the key.
  @usableFromInline
  package func stage(_ key: Key, _ expiry: Expiry?, _ how: How) async throws -> any StagedBytes {
    let isOnlyInFront = isBackUnwritten
    let staged =
      try await isOnlyInFront
      ? front.stage(key, expiry, how.staging) : back.stage(key, expiry, how.staging)
    return LinkedBytes(staged) { commit in
      if how.contains(.inTurn) { return try await replace(key, commit, isOnlyInFront) }
      return try await order.suspendingTurn(of: key) { try await replace(key, commit, isOnlyInFront) }
    }
  }

  private func replace(
    _ key: Key, _ commit: () async throws -> Bool, _ isOnlyInFront: Bool
  ) async throws -> Bool {
    do {
      // Before the commit, which may take effect even if it throws.
      fills.overtake(key)
      let isMade = try await commit()
      if isOnlyInFront || !isMade { return isMade }
      try await front.base.change(key, .remove, [])
      return true
    } catch {
      throw await afterDropping([key], error)
    }
  }
}
