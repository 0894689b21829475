public import StrataCore

/// What is known of the loads of a memory storage.
struct LoadStatistics: Sendable {
  var count = 0
  var failures = 0
  var time: Duration = .zero
}

extension MemoryStorage {
  /// Reads a value; where there is none or it has expired, loads and stores it.
  ///
  /// Of several that miss one key at a time, one loads and the others wait for what it stores. If the load throws,
  /// nothing is stored, and the next in line tries for itself. What is written or removed meanwhile by others stays so;
  /// the loaded value is only returned then. `load` may use other keys of this storage; to load or update the same key
  /// inside it throws `.deadlock`.
  ///
  /// ```swift
  /// let user = try memory.object(forKey: id) { try database.user(id) }
  /// ```
  public func object(
    forKey key: Key, expiry: Expiry? = nil, orLoad load: () throws -> Value
  ) throws -> Value {
    if let object = validObject(key) { return object }
    return try updates.withTurn(.key(key)) {
      if let object = objectOrWatch(key) { return object }
      defer { stopWatching(key) }
      let start = ContinuousClock.now
      return try keep(Result { try load() }, forKey: key, expiry: expiry, since: start)
    }
  }

  /// The same with a load that suspends; so do those that wait for it.
  public func object(
    forKey key: Key, expiry: Expiry? = nil, orLoad load: () async throws -> Value
  ) async throws -> Value {
    if let object = validObject(key) { return object }
    return try await updates.withTurn(.key(key)) {
      if let object = objectOrWatch(key) { return object }
      defer { stopWatching(key) }
      let start = ContinuousClock.now
      let result: Result<Value, any Error>
      do { result = .success(try await load()) } catch { result = .failure(error) }
      return try keep(result, forKey: key, expiry: expiry, since: start)
    }
  }

  /// `objectIfPresent` by a name that has no asynchronous twin.
  private func validObject(_ key: Key) -> Value? {
    guard let entry = entry(key, misses: 1), !entry.expiry.isExpired(by: clock) else { return nil }
    return entry.object
  }

  /// The value that another has loaded just before, or `nil`; then whoever writes the key is noticed. Does not count as
  /// a read.
  func objectOrWatch(_ key: Key) -> Value? {
    let hash = Self.hash(key)
    return shards.shard(hash).pointee.table.withLock { table in
      if let index = table.index(of: key, hash: hash), !table.expiry(of: index).isExpired(by: clock) {
        return table[index].pointee.value
      }
      table.watched.insert(key)
      return nil
    }
  }

  private func keep(
    _ result: Result<Value, any Error>, forKey key: Key, expiry: Expiry?, since start: ContinuousClock.Instant
  ) throws -> Value {
    let time = ContinuousClock.now - start
    loads.withLock { loads in
      loads.time += time
      if case .success = result { loads.count += 1 } else { loads.failures += 1 }
    }
    let value = try result.get()
    put(value, forKey: key, expiry: expiry, isUpdate: true)
    return value
  }
}
