public import StrataCore

/// The counts and the total time of a memory storage's loads.
struct LoadStatistics: Sendable {
  var count = 0
  var failures = 0
  var time: Duration = .zero
}

extension MemoryStorage {
  /// Returns the value of a key. If it is missing or expired, loads and stores it.
  ///
  /// Concurrent misses on one key share a single load. If the load throws, nothing is stored, and the next waiting
  /// caller runs its own load. If another caller writes or removes the key during the load, that change stays and the
  /// loaded value is only returned. `load` may use other keys of this storage; loading or updating the same key inside
  /// it throws `.deadlock`.
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

  /// The same with an asynchronous load. Concurrent callers suspend until it has finished.
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

  /// `objectIfPresent` under a name that has no async variant.
  private func validObject(_ key: Key) -> Value? {
    guard let entry = entry(key, misses: 1), !entry.expiry.isExpired(by: clock) else { return nil }
    return entry.object
  }

  /// Returns the value if another caller has just loaded it. Otherwise watches the key for writes and returns `nil`.
  /// Does not count as a read.
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
