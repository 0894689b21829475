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
    return try loadObject(forKey: key, expiry: expiry, in: chain.hub, orLoad: load)
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
    return try await loadObject(forKey: key, expiry: expiry, in: chain.hub, orLoad: load)
  }
}
