extension SyncStorage: SyncLoadSharing {
  /// Returns the value; if it is absent or has expired, loads and stores it.
  ///
  /// Concurrent misses on one key, through any view of this type, share a single load, which runs on the first caller's
  /// thread. If a view writes or removes the key meanwhile, that change stays, and the loaded value is only returned.
  package func object(forKey key: Key, expiry: Expiry?, orLoad load: () throws -> Value) throws -> Value {
    try meetingPoint.load(
      key, expiry: expiry, into: inner, read: { try objectIfPresent(forKey: key) }, load)
  }

  /// Returns the value; if it is absent or has expired, loads it asynchronously, and stores it. Callers suspend while
  /// they wait for the load.
  package func object(
    forKey key: Key, expiry: Expiry?, orLoad load: () async throws -> Value
  ) async throws -> Value {
    try await meetingPoint.load(
      key, expiry: expiry, into: inner, read: { try await objectIfPresent(forKey: key) }, load)
  }

  /// Keeps loads in flight from storing values under keys that are about to be removed.
  @usableFromInline
  func overtakeLoads(_ scope: TurnScope<Key>) { meetingPoint.loads.overtake(scope) }
}
