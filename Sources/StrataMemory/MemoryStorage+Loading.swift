public import StrataDelegate

/// The counts and the total time of a memory storage's loads.
struct LoadStatistics: Sendable {
  var count = 0
  var failures = 0
  var time: Duration = .zero
}

extension MemoryStorage: SyncLoadSharing {
  /// Returns the value of a key. If it is missing or expired, loads and stores it.
  ///
  /// Concurrent misses on one key share a single load, which runs on the first caller's thread. If it throws, all of
  /// them throw its error, and nothing is stored. If another caller writes or removes the key during the load, that
  /// change stays, the loaded value is only returned, and later callers load anew. `load` may use other keys of this
  /// storage; loading the same key inside it, or inside an update of the key, throws `.deadlock`.
  ///
  /// ```swift
  /// let user = try memory.object(forKey: id) { try database.user(id) }
  /// ```
  @inlinable
  public func object(
    forKey key: Key, expiry: Expiry? = nil, orLoad load: () throws -> Value
  ) throws -> Value {
    if let object = try objectIfPresent(forKey: key) { return object }
    return try loadedObject(key, expiry, load)
  }

  /// Returns the value of a key. If it is missing or expired, loads it in the first caller's task, and stores it.
  /// Concurrent callers suspend until the load has finished; if the first caller is cancelled, one of them loads with
  /// its own closure.
  @inlinable
  public func object(
    forKey key: Key, expiry: Expiry? = nil, orLoad load: () async throws -> Value
  ) async throws -> Value {
    if let object = try withoutSuspending({ try objectIfPresent(forKey: key) }) { return object }
    return try await loadedObject(key, expiry, load)
  }

  /// Loads a value, or waits for another caller's load.
  @usableFromInline
  func loadedObject(_ key: Key, _ expiry: Expiry?, _ load: () throws -> Value) throws -> Value {
    try refuseInsideUpdate(of: key)
    let watch = KeyWatch()
    defer { stop(watch, of: key) }
    return try flights.share(key) {
      value(key, orBegin: watch)
    } load: {
      let start = ContinuousClock.now
      return try count(Result { try load() }, since: start)
    } store: { object, _ in
      put(object, forKey: key, expiry: expiry, watch: watch)
    }
  }

  @usableFromInline
  func loadedObject(_ key: Key, _ expiry: Expiry?, _ load: () async throws -> Value) async throws -> Value {
    try refuseInsideUpdate(of: key)
    let watch = KeyWatch()
    defer { stop(watch, of: key) }
    return try await flights.share(key) {
      value(key, orBegin: watch)
    } load: {
      let start = ContinuousClock.now
      return try count(await Result(of: load), since: start)
    } store: { object, _ in
      put(object, forKey: key, expiry: expiry, watch: watch)
    }
  }

  /// Returns the value if another caller has just stored it. Otherwise begins to watch the key and returns `nil`. Does
  /// not count as a read.
  func value(_ key: Key, orBegin watch: KeyWatch) -> Value? {
    let hash = Self.hash(key)
    return shards.shard(hash).pointee.table.withLock { table in
      if let index = table.index(of: key, hash: hash), !table.expiry(of: index).isExpired(by: clock) {
        return table[index].pointee.value
      }
      table.watched.add(watch, of: key)
      return nil
    }
  }

  /// Counts a load, and returns what it has loaded.
  private func count(
    _ result: Result<Value, any Error>, since start: ContinuousClock.Instant
  ) throws -> Value {
    let time = ContinuousClock.now - start
    loads.withLock { loads in
      loads.time += time
      if case .success = result { loads.count += 1 } else { loads.failures += 1 }
    }
    return try result.get()
  }
}
