#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
public import StrataCore
import Synchronization

extension LoadingStorage {
  /// Changes keys as one operation with regard to loads: those in flight are overtaken, and store nothing.
  private func changing<R: Sendable>(_ scope: TurnScope<Key>, _ change: () async throws -> R) async throws
    -> R
  {
    try await engine.order.withTurn(scope) {
      switch scope {
      case .key(let key):
        engine.flights.overtake(key)
        engine.failures.clear(key)
      case .keys(let keys):
        engine.flights.overtake(keys)
        for key in keys { engine.failures.clear(key) }
      case .everything:
        engine.flights.overtakeAll()
        engine.failures.clear()
      }
      engine.changes.wrappingAdd(1, ordering: .sequentiallyConsistent)
      return try await change()
    }
  }

  /// Stores a value, which is fresh until it expires, or for the time of the policy. A load of the key that is in
  /// flight stores nothing.
  public func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    let (cached, kept) = entry(object, expiry, try await currentGeneration(key))
    try await changing(.key(key)) { try await engine.base.setObject(cached, forKey: key, expiry: kept) }
  }

  /// Stores many values. Loads of the keys that are in flight store nothing.
  public func setObjects(_ objects: [Key: Value], expiry: Expiry?) async throws {
    guard let one = objects.first else { return }
    let (first, kept) = entry(one.value, expiry, try await currentGeneration(one.key))
    let entries = objects.mapValues { object in
      Cached(object, end: first.end, began: first.began, generation: first.generation).due(by: policy)
    }
    try await changing(TurnScope(objects.keys)) { try await engine.base.setObjects(entries, expiry: kept) }
  }

  /// The generation that a value must have to be fresh. If it cannot be read, 0, which makes the value stale.
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
      case nil: now + engine.policy.freshTime(nil, random: .random(in: 0...1))
      case .never: .infinity
      case .seconds(let seconds): now + seconds
      case .date(let date): date.timeIntervalSinceReferenceDate
      }
    let cached = Cached(object, end: end, began: now, generation: generation).due(by: policy)
    let kept = engine.keptUntil(cached, max((policy.staleFor ?? .zero).inSeconds, 0))
    return (cached, expiry == .never ? .never : kept)
  }

  /// Removes what is stored under a key, if anything is; it stands in for nothing any more. A load that is in flight
  /// stores nothing.
  public func removeObject(forKey key: Key) async throws {
    try await changing(.key(key)) { try await engine.base.removeObject(forKey: key) }
  }

  /// Removes what is stored under many keys.
  public func removeObjects(forKeys keys: [Key]) async throws {
    try await changing(TurnScope(keys)) { try await engine.base.removeObjects(forKeys: keys) }
  }

  /// Removes everything. Loads that are in flight store nothing.
  public func removeAll() async throws {
    try await changing(.everything) { try await engine.base.removeAll() }
  }

  /// Removes what the store below does not keep any more; what is stale and still kept stays.
  public func removeExpiredObjects() async throws { try await engine.base.removeExpiredObjects() }

  /// Forgets what a memory tier below holds of a key.
  public func removeInMemoryObject(forKey key: Key) async throws {
    try await engine.base.removeInMemoryObject(forKey: key)
  }

  // MARK: Expiring and refreshing

  /// Makes the value of a key stale: the next read loads it, and returns it if that fails. How long it is kept does not
  /// change.
  public func expire(forKey key: Key) async throws {
    try await changing(.key(key)) {
      guard let entry = try await engine.base.entryIfPresent(forKey: key), !entry.expiry.isExpired(by: clock)
      else { return }
      let old = entry.object
      guard old.value != nil else { return try await engine.base.removeObject(forKey: key) }
      let expired = Cached(
        old.value, end: min(old.end, engine.now), began: old.began, loadTime: old.loadTime,
        generation: old.generation, details: old.details)
      try await engine.base.setObject(expired, forKey: key, expiry: entry.expiry)
    }
  }

  /// Makes all values stale, at the cost of one write; loads that are in flight bring values that are stale as well.
  /// For other processes too if they share `Generations`.
  public func expireAll() async throws {
    try engine.refuse("generations")
    try await changing(.everything) { _ = try await engine.generations.replace("") }
  }

  /// Removes all values with a tag, at the cost of one write, however many they are. For other processes too if they
  /// share `Generations`.
  ///
  /// The values are not looked for: the next read of each finds it removed, and they are deleted as they expire.
  public func remove(tagged tag: Tag) async throws {
    try engine.refuse("tags")
    engine.removedTags.add(tag)
    try await engine.generations.replace(tag.name)
    // Again: a load that began between the two has read the old generation.
    engine.removedTags.add(tag)
    engine.changes.wrappingAdd(1, ordering: .sequentiallyConsistent)
  }

  /// Loads a value now, whether or not it is fresh, and returns it; throws `.notFound` where the loader finds none.
  /// What is stored stays if the load fails.
  @discardableResult
  public func refresh(forKey key: Key) async throws -> Value {
    guard let value = try await engine.reload(key).value else { throw StorageError.notFound.with(key: key) }
    return value
  }
}
