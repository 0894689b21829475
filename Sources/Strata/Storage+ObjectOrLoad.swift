import StrataCore
import StrataLoading

extension Storage {
  /// Returns the value; if it is absent or has expired, loads and stores it.
  ///
  /// Concurrent misses on one key, through any view of this type, with `await` or without, share a single load, which
  /// runs on the first caller's thread. If it throws, all of them throw its error, and nothing is stored. A value that
  /// is written meanwhile stays; the loaded one is returned, and not stored. Loading a key inside its own load throws
  /// `.deadlock`.
  ///
  /// ```swift
  /// let user = try users.object(forKey: id) { try database.user(id) }
  /// ```
  public func object(forKey key: Key, expiry: Expiry? = nil, orLoad load: () throws -> Value) throws -> Value
  {
    if let object = chain.liveObject(key, as: transformer) { return object }
    return try ordered.object(forKey: key, expiry: expiry, orLoad: load)
  }

  /// Returns the value; if it is absent or has expired, loads it asynchronously, and stores it. Callers suspend while
  /// they wait for the load.
  public func object(
    forKey key: Key, expiry: Expiry? = nil, orLoad load: () async throws -> Value
  ) async throws -> Value {
    try await async.object(forKey: key, expiry: expiry, orLoad: load)
  }

  /// Returns the value; if it is absent or has expired, loads it synchronously, and stores it. Callers suspend while
  /// they wait for the load.
  public func object(
    forKey key: Key, expiry: Expiry? = nil, orLoad load: () throws -> Value
  ) async throws -> Value {
    let suspending: () async throws -> Value = { try load() }
    return try await async.object(forKey: key, expiry: expiry, orLoad: suspending)
  }
}

extension AsyncStorage {
  /// Returns the value; if it is absent or has expired, loads and stores it.
  ///
  /// Concurrent misses on one key, through any view of this type, with `await` or without, share a single load, which
  /// runs in the first caller's task. If it throws, all of them throw its error, and nothing is stored. If the first
  /// caller is cancelled, a waiting one loads with its own closure. A value that is written meanwhile stays; the loaded
  /// one is returned, and not stored. Loading a key inside its own load throws `.deadlock`.
  ///
  /// ```swift
  /// let user = try await users.object(forKey: id) { try await database.user(id) }
  /// ```
  public func object(
    forKey key: Key, expiry: Expiry? = nil, orLoad load: () async throws -> Value
  ) async throws -> Value {
    if let object = chain.liveObject(key, as: transformer) { return object }
    return try await chain.coordinator.loads.load(key, read: { try await objectIfPresent(forKey: key) }, load)
    {
      try await run(.storeLoaded($0, key, expiry, if: $1))
    }
  }
}

extension ChainOperation {
  /// Stores a loaded value if the key is absent and no change has overtaken the load.
  fileprivate static func storeLoaded(
    _ object: Value, _ key: Key, _ expiry: Expiry?, if isValid: @escaping @Sendable () -> Bool
  ) -> Self where Output == Void {
    Self(scope: .key(key)) {
      if isValid() { _ = try $0.change(key, .setIfAbsent(object, expiry), []) }
    } async: {
      if isValid() { _ = try await $0.change(key, .setIfAbsent(object, expiry), []) }
    }
  }
}

extension Storage: SyncLoadSharing {}
extension AsyncStorage: LoadSharing {}
