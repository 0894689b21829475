public import StrataCore

// Atomic changes of stored values. They are operations of the inner store, if it has them: then no change of another
// process is lost. An inner store without them is changed in the turn of the key, which orders one process only.

extension LoadingStorage: UpdateableStorage {
  /// Reads, changes and stores a fresh value as one operation. Returns the stored value. If there is no fresh value,
  /// loads it first.
  ///
  /// How long the value is fresh, and its tags, do not change; its validator is dropped. Throws `.notFound` if the
  /// loader finds no value, or the store does not keep it. If `modify` throws, nothing changes. If another writer
  /// changes the value meanwhile, `modify` runs again with the new value.
  ///
  /// ```swift
  /// try await profiles.update(forKey: "ada") { $0.visits += 1 }
  /// ```
  @discardableResult
  public func update(forKey key: Key, _ modify: (inout Value) throws -> Void) async throws -> Value {
    for attempt in 0..<3 {
      if attempt > 0 { _ = try await loadedObject(key) }
      // A change outdates the loads in flight, so there must be something to change.
      guard try await freshEntry(key) != nil else { continue }
      let changed = try await changing(.key(key)) { try await updateFresh(key, modify) }
      if let changed { return changed }
    }
    throw StorageError.notFound.with("no fresh value stays in the store: see `LoadPolicy.freshFor`", key: key)
  }

  /// Updates a fresh value, in the key's turn. Returns `nil` if there is none.
  private func updateFresh(_ key: Key, _ modify: (inout Value) throws -> Void) async throws -> Value? {
    while let seen = try await freshEntry(key), var value = seen.object.value {
      guard let updating else {
        try modify(&value)
        try await engine.base.replaceObject(
          seen.object.changed(to: value, policy), forKey: key, expiry: seen.expiry)
        return value
      }
      do {
        return try await updating.update(forKey: key) { cached in
          guard isSame(cached, seen.object), var value = cached.value else { throw Changed() }
          try modify(&value)
          cached = cached.changed(to: value, policy)
        }.value
      } catch is Changed {}
    }
    return nil
  }

  /// Stores a value if there is no fresh one, in the key's turn. Replaces an entry that is stale or removed by a tag.
  func storeIfNotFresh(_ cached: Cached<Value>, _ expiry: Expiry?, forKey key: Key) async throws -> Bool {
    while true {
      if try await engine.base.change(key, .setIfAbsent(cached, expiry), []) { return true }
      guard let seen = try await engine.base.entryIfPresent(forKey: key).live(by: clock) else { continue }
      if try await isFresh(seen, key) { return false }
      if try await replace(seen, with: { _ in cached }, expiry, forKey: key) { return true }
    }
  }

  /// Changes an entry and its expiry, if it is still the one that was read. Returns whether it was.
  func replace(
    _ seen: Entry<Cached<Value>>, with new: (Value?) -> Cached<Value>, _ expiry: Expiry?, forKey key: Key
  ) async throws -> Bool {
    guard let updating else {
      return try await engine.base.change(key, .set(new(seen.object.value), expiry), [])
    }
    do {
      try await updating.update(forKey: key) { cached in
        guard isSame(cached, seen.object) else { throw Changed() }
        cached = new(cached.value)
      }
    } catch is Changed {
      return false
    } catch StorageError.notFound {
      return false
    }
    return try await engine.base.change(
      key, .touch(expiry ?? engine.base.traits.ownExpiry ?? .never), [])
  }

  // MARK: Looking at entries

  /// The inner store, if it updates values atomically for all of its writers.
  private var updating: (any UpdateableStorage<Key, Cached<Value>>)? {
    engine.base as? any UpdateableStorage<Key, Cached<Value>>
  }

  func freshEntry(_ key: Key) async throws -> Entry<Cached<Value>>? {
    guard let entry = try await engine.base.entryIfPresent(forKey: key).live(by: clock) else { return nil }
    return try await isFresh(entry, key) ? entry : nil
  }

  private func isFresh(_ entry: Entry<Cached<Value>>, _ key: Key) async throws -> Bool {
    guard entry.object.value != nil else { return false }
    return switch try await engine.freshness(of: entry.object.ending(entry.expiry), key) {
    case .fresh, .due: true
    case .stale, .gone: false
    }
  }

  /// Returns whether an entry has the metadata by which another one was judged. Its value may be another one.
  private func isSame(_ cached: Cached<Value>, _ seen: Cached<Value>) -> Bool {
    engine.base.traits.keepsDatesOnly || cached.hasSameMetadata(as: seen)
  }
}

/// Thrown to end an update of an entry that another writer has replaced.
private struct Changed: Error {}

extension LoadingStorage: ConditionalStorage {}

extension Cached {
  /// Returns this entry with another value, which is no longer the one that its validator names.
  fileprivate func changed(to value: Value, _ policy: LoadPolicy) -> Cached {
    var details = details
    details?.validator = nil
    return Cached(
      value, end: end, began: began, loadTime: loadTime, generation: generation, details: details
    ).due(by: policy)
  }

  fileprivate func hasSameMetadata(as other: Cached) -> Bool {
    end == other.end && began == other.began && generation == other.generation
      && details?.tags == other.details?.tags && (value == nil) == (other.value == nil)
  }
}

extension DatedStorage: UpdateableStorage where Base: UpdateableStorage {
  /// Updates the plain value. Its expiry, by which its freshness is judged, does not change.
  func update(forKey key: Key, _ modify: (inout Value) throws -> Void) async throws -> Value {
    let stored = try await base.update(forKey: key) { plain in
      var cached = Cached(plain, end: .infinity, began: -.infinity)
      try modify(&cached)
      guard let value = cached.value else { throw StorageError.notFound.with(key: key) }
      plain = value
    }
    return Cached(stored, end: .infinity, began: -.infinity)
  }
}
