public import StrataCore
import Synchronization

extension LoadingStorage {
  /// Changes keys in one turn: in-flight loads of these keys become outdated and store nothing, also the loads of other
  /// loading stores over the same inner store.
  func changing<R: Sendable>(_ scope: TurnScope<Key>, _ change: () async throws -> R) async throws
    -> R
  {
    try await engine.order.withTurn(scope) {
      engine.siblings.overtake(scope)
      // Once more after the change: loads that begin during it may have seen what was stored before.
      defer { engine.siblings.overtake(scope) }
      return try await change()
    }
  }

  /// Stores a value that is fresh until its expiry, or for the policy's time, or removes one, also as a fallback. An
  /// in-flight load of the key stores nothing. To change an expiry loads nothing, and keeps the tags and the validator.
  ///
  /// A condition is checked and the change made as one operation of the inner store, if that is a `ConditionalStorage`
  /// and an `UpdateableStorage`: then also among processes.
  @discardableResult
  public func change(_ key: Key, _ change: StoreChange<Value>, _ how: How) async throws -> Bool {
    try how.refuseAtOnce()
    let cached: StoreChange<Cached<Value>>
    switch change.kind {
    case .set(let expiry), .replace(let expiry):
      let (object, kept) = entry(change.object, expiry, try await currentGeneration(key))
      cached = .set(object, kept)
    case .touch(let expiry): return try await touch(key, expiry)
    case .setIfAbsent(let expiry):
      let (object, kept) = entry(change.object, expiry, try await currentGeneration(key))
      return try await changing(.key(key)) { try await storeIfNotFresh(object, kept, forKey: key) }
    case .remove: cached = .remove
    case .forget: return try await engine.base.change(key, .forget, [])
    }
    return try await changing(.key(key)) { try await engine.base.change(key, cached, []) }
  }

  /// Changes how long a fresh value is fresh. Returns `false` if there is none.
  private func touch(_ key: Key, _ expiry: Expiry) async throws -> Bool {
    try await changing(.key(key)) {
      while let seen = try await freshEntry(key) {
        let old = seen.object.ending(seen.expiry)
        guard let value = old.value else { return false }
        let (new, kept) = entry(value, expiry, old.generation)
        // If another process changes the value meanwhile, its value gets the expiry.
        let isTouched = try await replace(
          seen,
          with: {
            Cached(
              $0, end: new.end, began: old.began, loadTime: old.loadTime, generation: old.generation,
              details: old.details
            ).due(by: policy)
          }, kept, forKey: key)
        if isTouched { return true }
      }
      return false
    }
  }

  /// Stores many values, each fresh until its expiry, or removes the values of many keys. In-flight loads of the keys
  /// store nothing.
  public func change(_ batch: StoreBatch<Key, Value>, _ how: How) async throws {
    try how.refuseAtOnce()
    guard let key = batch.keys.first else { return }
    let cached: StoreBatch<Key, Cached<Value>>
    switch batch {
    case .set(let objects, let expiry):
      guard let object = objects[key] else { return }
      let (first, kept) = entry(object, expiry, try await currentGeneration(key))
      cached = .set(
        objects.mapValues { object in
          Cached(object, end: first.end, began: first.began, generation: first.generation).due(by: policy)
        }, kept)
    case .setEntries(let entries):
      let generation = try await currentGeneration(key)
      cached = .setEntries(
        entries.mapValues {
          let (cached, kept) = entry($0.object, $0.expiry, generation)
          return Entry(object: cached, expiry: kept ?? .never)
        })
    case .remove(let keys): cached = .remove(keys)
    }
    try await changing(TurnScope(batch.keys)) { try await engine.base.change(cached, []) }
  }

  /// Removes everything; in-flight loads store nothing. Or removes values that have expired in the inner store; stale
  /// values that are kept as fallbacks stay.
  public func clear(_ extent: StoreExtent) async throws {
    if extent == .expired { return try await engine.base.clear(extent) }
    try await changing(.everything) { try await engine.base.clear(extent) }
  }

  /// Returns the generation that a value must have to be fresh. If it cannot be read, returns 0, which makes the value
  /// stale.
  private func currentGeneration(_ key: Key) async throws -> UInt64 {
    do {
      return try await engine.generation("") ?? 0
    } catch {
      if Task.isCancelled { throw error }
      engine.reporter.report(.storeFailed(error), key)
      return 0
    }
  }

  private func entry(
    _ object: Value, _ expiry: Expiry?, _ generation: UInt64
  ) -> (Cached<Value>, Expiry?) {
    let now = engine.now
    let end: Double =
      switch expiry {
      case nil: now + policy.freshTime(nil, random: .random(in: 0...1))
      case .seconds(let seconds): now + seconds
      case let expiry?: expiry.secondsSinceReferenceDate
      }
    let cached = Cached(object, end: end, began: now, generation: generation).due(by: policy)
    let kept = engine.keptUntil(cached, max((policy.staleFor ?? .zero).inSeconds, 0))
    return (cached, expiry == .never ? .never : kept)
  }

  // MARK: Expiring and refreshing

  /// Makes the value of a key stale: the next read loads, and falls back to the value if the load fails. The time for
  /// which it is kept does not change.
  ///
  /// ```swift
  /// try await profiles.expire(forKey: "ada")   // The next read loads; if that fails, it returns the old value.
  /// ```
  public func expire(forKey key: Key) async throws {
    try await changing(.key(key)) {
      guard let entry = try await engine.base.entryIfPresent(forKey: key).live(by: clock) else { return }
      try await engine.storeExpired(entry, forKey: key)
    }
  }

  /// Makes all values stale, including the values of in-flight loads, at the cost of one write, and of one more for
  /// each key that is observed. Affects other processes that share `Generations`.
  ///
  /// Observers of a key receive its value once more, observers of the store `.removeExpired`.
  public func expireAll() async throws {
    try engine.refuse("generations")
    try await changing(.everything) { _ = try await engine.generations.replace("") }
    await engine.generations.reportReplacement()
  }

  /// Removes all values with a tag, at the cost of one write, regardless of their number. Affects other processes that
  /// share `Generations`.
  ///
  /// Values are not searched for: the next read of each treats it as removed, and its bytes are deleted when it
  /// expires. Values of keys that are observed are removed at once, and reported as `.remove`; observers of the store
  /// also receive `.removeExpired`, for all others.
  public func remove(tagged tag: Tag) async throws {
    try engine.refuse("tags")
    try await engine.generations.remove(tag)
    engine.changes.wrappingAdd(1, ordering: .sequentiallyConsistent)
    await engine.generations.reportReplacement()
  }

  /// Removes all values with the tag of this name.
  @_disfavoredOverload
  public func remove(tagged name: String) async throws { try await remove(tagged: Tag(name)) }

  /// Loads a value now, fresh or not, and returns it. Throws `.notFound` if the loader finds none. If the load fails,
  /// the stored value stays.
  ///
  /// A load that is running may have read the source before this call: it is waited for, and the value is loaded again,
  /// once for all callers that waited.
  ///
  /// ```swift
  /// let user = try await profiles.refresh(forKey: "ada")   // Loads now, and stores the value.
  /// ```
  @discardableResult
  public func refresh(forKey key: Key) async throws -> Value {
    guard let value = try await engine.reload(key).value else { throw StorageError.notFound.with(key: key) }
    return value
  }
}
