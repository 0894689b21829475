import StrataCore

/// Observers of values that a change of generations outdates: a removal by tag, or `expireAll()`.
extension LoadEngine {
  /// Makes the outdated entries of observed keys those of the inner store too, which then reports the changes. Reports
  /// that the entries of other keys may be outdated, since they are not searched for.
  func tellObservers() async {
    for key in base.observedKeys(as: Key.self) { await settle(key) }
    base.reportLostEntries()
  }

  /// Removes the entry of a key if it was removed by a tag, and stores it as stale if `expireAll()` has made it so.
  ///
  /// The generations have changed already, so a failure of the inner store fails nothing: the next read treats the
  /// entry in the same way.
  private func settle(_ key: Key) async {
    do {
      try await finishing { [self] in try await order.withTurn(.key(key)) { try await settleInTurn(key) } }
    } catch { reporter.report(.storeFailed(error), key) }
  }

  private func settleInTurn(_ key: Key) async throws {
    guard let entry = try await base.entryIfPresent(forKey: key).live(by: dates) else { return }
    switch try await outdatedFreshness(of: entry.object) {
    case .gone: try await base.removeObject(forKey: key)
    // A value whose freshness has ended is stale already.
    case .stale where entry.object.end > now: try await storeExpired(entry, forKey: key)
    default: break
    }
  }

  /// Stores an entry as stale, in the turn of its key. A remembered absence is removed.
  func storeExpired(_ entry: Entry<Cached<Value>>, forKey key: Key) async throws {
    let old = entry.object
    guard old.value != nil else { return try await base.removeObject(forKey: key) }
    let expired = Cached(
      old.value, end: min(old.end, now), began: old.began, loadTime: old.loadTime, generation: old.generation,
      details: old.details)
    try await base.setObject(expired, forKey: key, expiry: entry.expiry)
  }
}

/// The loading stores whose values depend on the same generations.
final class GenerationObservers: Sendable {
  private let members = Locked<[ObjectIdentifier: @Sendable () async -> Void]>([:])

  func add(_ member: ObjectIdentifier, _ tell: @escaping @Sendable () async -> Void) {
    members.withLock { $0[member] = tell }
  }

  func remove(_ member: ObjectIdentifier) { members.withLock { _ = $0.removeValue(forKey: member) } }

  /// Tells the observers of all stores that generations have changed, also if the task is cancelled.
  func tell() async {
    for tell in members.withLock({ Array($0.values) }) { await tell() }
  }
}
