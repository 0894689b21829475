import StrataCore
import StrataLoading

extension Storage {
  /// Reads a value; where there is none or it has expired, loads and stores it.
  ///
  /// Callers that miss one key at a time, through whatever view of this type and with `await` or without, share a
  /// single load: that of the first, on its thread. What it throws, all that wait throw, and nothing is stored. A value
  /// that somebody else writes while it is loaded stays; the loaded one is only returned then. To load a key inside its
  /// own load throws `.deadlock`.
  ///
  /// ```swift
  /// let user = try users.object(forKey: id) { try database.user(id) }
  /// ```
  public func object(forKey key: Key, expiry: Expiry? = nil, orLoad load: () throws -> Value) throws -> Value
  {
    if let object = chain.liveObject(key, as: transformer) { return object }
    if let object = try objectIfPresent(forKey: key) { return object }
    let flights = chain.hub.loads.flights(of: Value.self)
    return try flights.share(key) {
      try objectIfPresent(forKey: key)
    } load: {
      try load()
    } store: { object, flight in
      defer { chain.hub.deliver() }
      try chain.hub.order.withTurn(.key(key)) {
        if flights.isOvertaken(flight) { return }
        _ = try ordered.inner.storeIfAbsent(object, forKey: key, expiry: expiry)
      }
    }
  }

  /// The same with a load that suspends; so do those that wait for it.
  public func object(
    forKey key: Key, expiry: Expiry? = nil, orLoad load: () async throws -> Value
  ) async throws -> Value {
    try await async.object(forKey: key, expiry: expiry, orLoad: load)
  }

  /// The same with a load that does not suspend; those that wait for it do.
  public func object(
    forKey key: Key, expiry: Expiry? = nil, orLoad load: () throws -> Value
  ) async throws -> Value {
    let suspending: () async throws -> Value = { try load() }
    return try await async.object(forKey: key, expiry: expiry, orLoad: suspending)
  }
}

extension AsyncStorage {
  /// Reads a value; where there is none or it has expired, loads and stores it.
  ///
  /// Callers that miss one key at a time, through whatever view of this type and with `await` or without, share a
  /// single load: that of the first, in its task. What it throws, all that wait throw, and nothing is stored. If the
  /// first caller is cancelled, one that waits loads with its own closure. A value that somebody else writes while it
  /// is loaded stays; the loaded one is only returned then. To load a key inside its own load throws `.deadlock`.
  ///
  /// ```swift
  /// let user = try await users.object(forKey: id) { try await database.user(id) }
  /// ```
  public func object(
    forKey key: Key, expiry: Expiry? = nil, orLoad load: () async throws -> Value
  ) async throws -> Value {
    if let object = chain.liveObject(key, as: transformer) { return object }
    if let object = try await objectIfPresent(forKey: key) { return object }
    let flights = chain.hub.loads.flights(of: Value.self)
    return try await flights.share(key) {
      try await objectIfPresent(forKey: key)
    } load: {
      try await load()
    } store: { object, flight in
      try await run(.storeLoaded(object, key, expiry) { !flights.isOvertaken(flight) })
    }
  }
}

extension Storage {
  /// Tells loads of keys that these are about to be removed.
  @usableFromInline
  func overtakeLoads(_ scope: TurnScope<Key>) { chain.hub.loads.overtake(scope) }
}

extension ChainOperation {
  /// Stores what was loaded if nothing is stored and the load has not been overtaken.
  fileprivate static func storeLoaded(
    _ object: Value, _ key: Key, _ expiry: Expiry?, if isValid: @escaping @Sendable () -> Bool
  ) -> Self where Output == Void {
    Self(scope: .key(key)) {
      if isValid() { _ = try $0.storeIfAbsent(object, forKey: key, expiry: expiry) }
    } async: {
      if isValid() { _ = try await $0.storeIfAbsent(object, forKey: key, expiry: expiry) }
    }
  }
}
