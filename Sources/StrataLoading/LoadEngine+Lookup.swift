import StrataCore

/// Reads of the inner store.
extension LoadEngine {
  /// Reads the inner store. A failure or a timeout counts as a miss, and the loader is asked.
  func lookUp(_ key: Key) async throws -> Cached<Value>? {
    do {
      let entry: Entry<Cached<Value>>?
      if let known = cached(key) {
        entry = known
      } else {
        entry = try await inTime(key) { [base] in try await base.entryIfPresent(forKey: key) }
      }
      return entry.flatMap(valid)
    } catch {
      if Task.isCancelled { throw error }
      reporter.report(.storeFailed(error), key)
      return nil
    }
  }

  /// Reads many keys in one operation of the inner store, otherwise like `lookUp`.
  func lookUp(_ keys: [Key]) async throws -> [Key: Cached<Value>] {
    if keys.count == 1 { return try await lookUp(keys[0]).map { [keys[0]: $0] } ?? [:] }
    var found: [Key: Cached<Value>] = [:]
    var rest: [Key] = []
    for key in keys {
      if let known = cached(key) { found[key] = valid(known) } else { rest.append(key) }
    }
    guard let first = rest.first else { return found }
    do {
      let entries = try await inTime(first) { [base, rest] in try await base.entries(forKeys: rest) }
      return found.merging(entries.compactMapValues(valid)) { known, _ in known }
    } catch {
      if Task.isCancelled { throw error }
      for key in rest { reporter.report(.storeFailed(error), key) }
      return found
    }
  }

  private func cached(_ key: Key) -> Entry<Cached<Value>>? {
    guard let known = base.peek(forKey: key), !known.expiry.isExpired(by: dates) else { return nil }
    return known
  }

  private func valid(_ entry: Entry<Cached<Value>>) -> Cached<Value>? {
    entry.expiry.isExpired(by: dates) ? nil : entry.object.ending(entry.expiry)
  }

  private func inTime<R: Sendable>(
    _ key: Key, _ read: @escaping @Sendable () async throws -> R
  ) async throws -> R {
    guard let limit = policy.storeTimeout else { return try await read() }
    let error = StorageError.timedOut.with("the store below took longer than \(limit)", key: key)
    return try await withTimeLimit(limit, on: clock, throwing: error, read)
  }
}
