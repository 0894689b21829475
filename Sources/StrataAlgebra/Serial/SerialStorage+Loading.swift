public import StrataCore

extension SerialStorage: LoadSharing {
  /// Returns the value; if it is absent or has expired, loads it, and stores it in its turn. Other operations run
  /// during the load, and a removal among them wins.
  package func object(
    forKey key: Key, expiry: Expiry?, orLoad load: () async throws -> Value
  ) async throws -> Value {
    try await loads.load(key, read: { try await objectIfPresent(forKey: key) }, load) {
      object, isValid in
      try await line.change {
        if isValid() { _ = try await base.change(key, .setIfAbsent(object, expiry), []) }
      }
    }
  }

  /// Keeps loads in flight from storing values under keys that are about to be removed.
  @usableFromInline
  func overtakeLoads(_ scope: TurnScope<Key>) { loads.overtake(scope) }
}

extension SerialStorage: SyncLoadSharing where Base: SyncStorageAware {
  /// Returns the value; if it is absent or has expired, loads it on the calling thread, and stores it in its turn.
  package func object(forKey key: Key, expiry: Expiry?, orLoad load: () throws -> Value) throws -> Value {
    try loads.load(key, read: { try objectIfPresent(forKey: key) }, load) { object, isValid in
      try line.change {
        if isValid() { _ = try base.change(key, .setIfAbsent(object, expiry), []) }
      }
    }
  }
}
