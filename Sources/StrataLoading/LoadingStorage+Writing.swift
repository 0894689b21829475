#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
public import StrataCore
import Synchronization

extension LoadingStorage {
  /// Changes keys in one turn: in-flight loads of these keys become outdated and store nothing, also the loads of other
  /// loading stores over the same inner store.
  private func changing<R: Sendable>(_ scope: TurnScope<Key>, _ change: () async throws -> R) async throws
    -> R
  {
    try await engine.order.withTurn(scope) {
      engine.siblings.overtake(scope)
      return try await change()
    }
  }

  /// Stores a value that is fresh until its expiry, or for the policy's time. An in-flight load of the key stores
  /// nothing.
  public func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    let (cached, kept) = entry(object, expiry, try await currentGeneration(key))
    try await changing(.key(key)) { try await engine.base.setObject(cached, forKey: key, expiry: kept) }
  }

  /// Stores many values. In-flight loads of the keys store nothing.
  public func setObjects(_ objects: [Key: Value], expiry: Expiry?) async throws {
    guard let one = objects.first else { return }
    let (first, kept) = entry(one.value, expiry, try await currentGeneration(one.key))
    let entries = objects.mapValues { object in
      Cached(object, end: first.end, began: first.began, generation: first.generation).due(by: policy)
    }
    try await changing(TurnScope(objects.keys)) { try await engine.base.setObjects(entries, expiry: kept) }
  }

  /// Stores many values, each fresh until its own expiry. In-flight loads of the keys store nothing.
  public func setEntries(_ entries: [Key: Entry<Value>]) async throws {
    guard let one = entries.first else { return }
    let generation = try await currentGeneration(one.key)
    let cached = entries.mapValues {
      let (cached, kept) = entry($0.object, $0.expiry, generation)
      return Entry(object: cached, expiry: kept ?? .never)
    }
    try await changing(TurnScope(entries.keys)) { try await engine.base.setEntries(cached) }
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
      case nil: now + engine.policy.freshTime(nil, random: .random(in: 0...1))
      case .never: .infinity
      case .seconds(let seconds): now + seconds
      case .date(let date): date.timeIntervalSinceReferenceDate
      }
    let cached = Cached(object, end: end, began: now, generation: generation).due(by: policy)
    let kept = engine.keptUntil(cached, max((policy.staleFor ?? .zero).inSeconds, 0))
    return (cached, expiry == .never ? .never : kept)
  }

  /// Removes the value of a key, also as a fallback. An in-flight load of the key stores nothing.
  public func removeObject(forKey key: Key) async throws {
    try await changing(.key(key)) { try await engine.base.removeObject(forKey: key) }
  }

  /// Removes the values of many keys.
  public func removeObjects(forKeys keys: [Key]) async throws {
    try await changing(TurnScope(keys)) { try await engine.base.removeObjects(forKeys: keys) }
  }

  /// Removes everything. In-flight loads store nothing.
  public func removeAll() async throws {
    try await changing(.everything) { try await engine.base.removeAll() }
  }

  /// Removes values that have expired in the inner store. Stale values that are kept as fallbacks stay.
  public func removeExpiredObjects() async throws { try await engine.base.removeExpiredObjects() }

  /// Drops a key from the memory tier of the inner store.
  public func removeInMemoryObject(forKey key: Key) async throws {
    try await engine.base.removeInMemoryObject(forKey: key)
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

  /// Makes all values stale, including the values of in-flight loads, at the cost of one write. Affects other processes
  /// that share `Generations`.
  public func expireAll() async throws {
    try engine.refuse("generations")
    try await changing(.everything) { _ = try await engine.generations.replace("") }
  }

  /// Removes all values with a tag, at the cost of one write, regardless of their number. Affects other processes that
  /// share `Generations`.
  ///
  /// Values are not searched for: the next read of each treats it as removed, and its bytes are deleted when it
  /// expires.
  public func remove(tagged tag: Tag) async throws {
    try engine.refuse("tags")
    try await engine.generations.remove(tag)
    engine.changes.wrappingAdd(1, ordering: .sequentiallyConsistent)
  }

  /// Loads a value now, fresh or not, and returns it. Throws `.notFound` if the loader finds none. If the load fails,
  /// the stored value stays.
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
