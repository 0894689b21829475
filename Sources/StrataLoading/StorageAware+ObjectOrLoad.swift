public import StrataCore

extension StorageAware {
  /// Reads a value; where there is none or it has expired, loads and stores it.
  ///
  /// Callers that miss one key at a time share a single load: that of the first, in its task. What it throws, all that
  /// wait throw, and nothing is stored. If the first caller is cancelled, one that waits loads with its own closure. A
  /// value that somebody else writes while it is loaded stays; the loaded one is only returned then. To load a key
  /// inside its own load throws `.deadlock`.
  ///
  /// All that use the same object share its loads. A link that passes on no `coordinator` shares none.
  ///
  /// ```swift
  /// let user = try await users.object(forKey: id) { try await database.user(id) }
  /// ```
  public func object(
    forKey key: Key, expiry: Expiry? = nil, orLoad load: () async throws -> Value
  ) async throws -> Value {
    if let object = try await objectIfPresent(forKey: key) { return object }
    let coordinator = coordinator
    // The loads are the coordinator's, and an object keeps none: without a user, the next caller would get another.
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
  /// Reads a value; where there is none or it has expired, loads and stores it.
  ///
  /// Callers that miss one key at a time share a single load: that of the first, on its thread. What it throws, all
  /// that wait throw, and nothing is stored. A value that somebody else writes while it is loaded stays; the loaded one
  /// is only returned then. To load a key inside its own load throws `.deadlock`.
  ///
  /// All that use the same object share its loads, with `await` or without. A link that passes on no `coordinator`
  /// shares none.
  ///
  /// ```swift
  /// let user = try users.object(forKey: id) { try database.user(id) }
  /// ```
  public func object(
    forKey key: Key, expiry: Expiry? = nil, orLoad load: () throws -> Value
  ) throws -> Value {
    if let object = try objectIfPresent(forKey: key) { return object }
    let coordinator = coordinator
    // The loads are the coordinator's, and an object keeps none: without a user, the next caller would get another.
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

  /// The same with `await`: who waits for the load suspends.
  public func object(
    forKey key: Key, expiry: Expiry? = nil, orLoad load: () throws -> Value
  ) async throws -> Value {
    let suspending: () async throws -> Value = { try load() }
    return try await object(forKey: key, expiry: expiry, orLoad: suspending)
  }
}
