public import StrataCore

extension StorageAware {
  /// Returns a value; loads and stores it if it is absent or has expired.
  ///
  /// Concurrent misses on one key share a single load: the first caller's, in its task. If it throws, all waiting
  /// callers throw the same error, and nothing is stored. If the first caller is cancelled, a waiting caller loads with
  /// its own closure. A value written during the load stays; the loaded one is then only returned. Loading a key inside
  /// its own load throws `.deadlock`.
  ///
  /// All users of the same store share its loads. A combinator without a `coordinator` shares none.
  ///
  /// ```swift
  /// let user = try await users.object(forKey: id) { try await database.user(id) }
  /// ```
  public func object(
    forKey key: Key, expiry: Expiry? = nil, orLoad load: () async throws -> Value
  ) async throws -> Value {
    if let object = try await objectIfPresent(forKey: key) { return object }
    let coordinator = coordinator
    // The loads belong to the coordinator, which must stay alive while they run: without an owner the next caller would
    // get another one.
    defer { withExtendedLifetime(coordinator) {} }
    guard let flights = sharedLoads(coordinator)?.flights(of: Value.self) else {
      let object = try await load()
      _ = try await storeIfAbsent(object, forKey: key, expiry: expiry)
      return object
    }
    return try await flights.share(key) {
      try await objectIfPresent(forKey: key)
    } load: {
      try await load()
    } store: { object, _ in
      _ = try await storeIfAbsent(object, forKey: key, expiry: expiry)
    }
  }
}

extension StorageAware {
  /// Returns the in-flight loads that all users of this store share; `nil` if it shares none.
  fileprivate func sharedLoads(_ coordinator: StorageCoordinator<Key>?) -> SharedLoads<Key>? {
    (self as? any LoadSharing<Key>)?.sharedLoads ?? coordinator?.loads
  }
}

extension SyncStorageAware {
  /// Returns a value; loads and stores it if it is absent or has expired.
  ///
  /// Concurrent misses on one key share a single load: the first caller's, on its thread. If it throws, all waiting
  /// callers throw the same error, and nothing is stored. A value written during the load stays; the loaded one is then
  /// only returned. Loading a key inside its own load throws `.deadlock`.
  ///
  /// All users of the same store share its loads, with `await` or without. A combinator without a `coordinator` shares
  /// none.
  ///
  /// ```swift
  /// let user = try users.object(forKey: id) { try database.user(id) }
  /// ```
  public func object(
    forKey key: Key, expiry: Expiry? = nil, orLoad load: () throws -> Value
  ) throws -> Value {
    if let object = try objectIfPresent(forKey: key) { return object }
    let coordinator = coordinator
    // The loads belong to the coordinator, which must stay alive while they run: without an owner the next caller would
    // get another one.
    defer { withExtendedLifetime(coordinator) {} }
    guard let flights = sharedLoads(coordinator)?.flights(of: Value.self) else {
      let object = try load()
      _ = try storeIfAbsent(object, forKey: key, expiry: expiry)
      return object
    }
    return try flights.share(key) {
      try objectIfPresent(forKey: key)
    } load: {
      try load()
    } store: { object, _ in
      _ = try storeIfAbsent(object, forKey: key, expiry: expiry)
    }
  }

  /// The asynchronous variant: waiting callers suspend.
  public func object(
    forKey key: Key, expiry: Expiry? = nil, orLoad load: () throws -> Value
  ) async throws -> Value {
    let suspending: () async throws -> Value = { try load() }
    return try await object(forKey: key, expiry: expiry, orLoad: suspending)
  }
}
