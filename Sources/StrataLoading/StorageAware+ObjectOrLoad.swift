public import StrataCore

extension StorageAware {
  /// Returns a value; loads and stores it if it is absent or has expired.
  ///
  /// Concurrent misses on one key share a single load, which runs in the first caller's task. If it throws, all of them
  /// throw its error, and nothing is stored. If the first caller is cancelled, a waiting one loads with its own
  /// closure. Loading a key inside its own load throws `.deadlock`.
  ///
  /// A value that is written during the load stays; the loaded one is returned, and not stored. A removal wins in the
  /// same way if it is made through a store that orders its operations (`Storage`, `AsyncStorage`, `SyncStorage`) over
  /// the same tiers, or through a `MemoryStorage` or a `serial()` store. All users of the same object share its loads;
  /// any other combinator without a `coordinator` shares none.
  ///
  /// ```swift
  /// let user = try await users.object(forKey: id) { try await database.user(id) }
  /// ```
  public func object(
    forKey key: Key, expiry: Expiry? = nil, orLoad load: () async throws -> Value
  ) async throws -> Value {
    // Hits need neither the second cast, which takes microseconds, nor the coordinator, whose creation takes longer.
    if let object = peek(forKey: key).liveObject(by: clock) { return object }
    if Self.self is any LoadSharing.Type, let store = self as? any LoadSharing<Key, Value> {
      return try await store.object(forKey: key, expiry: expiry, orLoad: load)
    }
    let mark = LoadMark.now
    if let object = try await objectIfPresent(forKey: key) { return object }
    guard let coordinator else {
      let object = try await load()
      _ = try await change(key, .setIfAbsent(object, expiry), [])
      return object
    }
    // The coordinator has the loads, and an object does not retain it: without a user, the next caller would get
    // another coordinator.
    defer { withExtendedLifetime(coordinator) {} }
    return try await coordinator.load(
      key, expiry: expiry, into: self, since: mark, read: { try await objectIfPresent(forKey: key) }, load)
  }
}

extension SyncStorageAware {
  /// Returns a value; loads and stores it if it is absent or has expired.
  ///
  /// Concurrent misses on one key share a single load, which runs on the first caller's thread. If it throws, all of
  /// them throw its error, and nothing is stored. Loading a key inside its own load throws `.deadlock`.
  ///
  /// A value that is written during the load stays; the loaded one is returned, and not stored. A removal wins in the
  /// same way if it is made through a store that orders its operations (`Storage`, `AsyncStorage`, `SyncStorage`) over
  /// the same tiers, or through a `MemoryStorage` or a `serial()` store. All users of the same object share its loads,
  /// with `await` or without; any other combinator without a `coordinator` shares none.
  ///
  /// ```swift
  /// let user = try users.object(forKey: id) { try database.user(id) }
  /// ```
  public func object(
    forKey key: Key, expiry: Expiry? = nil, orLoad load: () throws -> Value
  ) throws -> Value {
    if let object = peek(forKey: key).liveObject(by: clock) { return object }
    if Self.self is any SyncLoadSharing.Type, let store = self as? any SyncLoadSharing<Key, Value> {
      return try store.object(forKey: key, expiry: expiry, orLoad: load)
    }
    let mark = LoadMark.now
    if let object = try objectIfPresent(forKey: key) { return object }
    guard let coordinator else {
      let object = try load()
      _ = try change(key, .setIfAbsent(object, expiry), [])
      return object
    }
    // The coordinator has the loads, and an object does not retain it: without a user, the next caller would get
    // another coordinator.
    defer { withExtendedLifetime(coordinator) {} }
    return try coordinator.load(
      key, expiry: expiry, into: self, since: mark, read: { try objectIfPresent(forKey: key) }, load)
  }

  /// Returns a value; loads it with a synchronous function and stores it if it is absent or has expired. Waiting
  /// callers suspend.
  public func object(
    forKey key: Key, expiry: Expiry? = nil, orLoad load: () throws -> Value
  ) async throws -> Value {
    let suspending: () async throws -> Value = { try load() }
    return try await object(forKey: key, expiry: expiry, orLoad: suspending)
  }
}
