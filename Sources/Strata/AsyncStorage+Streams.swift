public import StrataCore

extension AsyncStorage {
  /// Opens a value of the type `Data` in its key's turn. Its parts are read outside of the turn.
  public func stream(_ key: Key, _ range: Range<Int>?, _ how: How) async throws -> StoredBytes? {
    if let entry = chain.live(key, as: transformer) {
      return StoredBytes(try bytes(of: entry.object, key), range: range, expiry: entry.expiry)
    }
    switch typed {
    case .sync(let typed): return try await stream(key, range, of: typed)
    case .async(let typed): return try await stream(key, range, of: typed)
    }
  }

  private func stream<Tier>(
    _ key: Key, _ range: Range<Int>?, of typed: TypeWrapperStorage<Tier, Value>
  ) async throws -> StoredBytes? where Tier.Key == Key {
    guard typed.streamsBytes else { return try await streamInMemory(key, range, []) }
    return try await typed.stream(key, range) { range in
      try await chain.coordinator.order.suspendingTurn(of: key, reads: true) {
        try await typed.inner.stream(key, range, [])
      }
    }
  }

  /// Stages a value of the type `Data`, which is committed in the key's turn. Memory drops the key then.
  public func stage(_ key: Key, _ expiry: Expiry?, _ how: How) async throws -> any StagedBytes {
    switch typed {
    case .sync(let typed): try await stage(key, expiry, how, in: typed)
    case .async(let typed): try await stage(key, expiry, how, in: typed)
    }
  }

  private func stage<Tier>(
    _ key: Key, _ expiry: Expiry?, _ how: How, in typed: TypeWrapperStorage<Tier, Value>
  ) async throws -> any StagedBytes where Tier.Key == Key {
    guard typed.streamsBytes else { return stageInMemory(key, expiry, []) }
    let staged = try await typed.inner.stage(key, expiry, how.staging)
    return typed.staged(chain.coordinator.ordering(staged, key))
  }
}

extension Storage {
  /// Opens a value of the type `Data` in its key's turn. Its parts are read outside of the turn.
  public func stream(_ key: Key, _ range: Range<Int>?, _ how: How) async throws -> StoredBytes? {
    try await async.stream(key, range, how)
  }

  /// Stages a value of the type `Data`, which is committed in the key's turn. Memory drops the key then.
  public func stage(_ key: Key, _ expiry: Expiry?, _ how: How) async throws -> any StagedBytes {
    try await async.stage(key, expiry, how)
  }
}

extension AsyncStorage: DownloadSharing, StreamLink {
  package var downloadCoordinator: StorageCoordinator<Key> { chain.coordinator }
}

extension Storage: DownloadSharing, StreamLink {
  package var downloadCoordinator: StorageCoordinator<Key> { chain.coordinator }
}
