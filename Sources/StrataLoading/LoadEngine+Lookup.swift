import StrataCore

/// Reads of the inner store.
extension LoadEngine {
  /// The result of a read of the inner store: the entry, unless it has expired, and whether the read failed: see
  /// `PlannedLoad.isUnread`. An entry that was read and cannot be decoded may be replaced.
  typealias Stored = (cached: Cached<Value>?, isUnread: Bool)

  /// Reads the inner store. A failure or a timeout counts as a miss, so that the value is loaded.
  func lookUp(_ key: Key) async throws -> Stored {
    do {
      let entry: Entry<Cached<Value>>?
      if let known = cached(key) {
        entry = known
      } else {
        entry = try await inTime(key) { [base] in try await base.entryIfPresent(forKey: key) }
      }
      return (entry.flatMap(valid), false)
    } catch {
      if Task.isCancelled { throw error }
      reporter.report(.storeFailed(error), key)
      return (nil, StorageError.mayPass(error))
    }
  }

  /// Reads many keys in one operation of the inner store, otherwise like `lookUp`. The result lacks absent keys.
  func lookUp(_ keys: [Key]) async throws -> [Key: Stored] {
    if keys.count == 1 { return [keys[0]: try await lookUp(keys[0])] }
    var found: [Key: Stored] = [:]
    var rest: [Key] = []
    for key in keys {
      if let known = cached(key) { found[key] = (valid(known), false) } else { rest.append(key) }
    }
    guard let first = rest.first else { return found }
    do {
      let entries = try await inTime(first) { [base, rest] in try await base.entries(forKeys: rest) }
      for (key, entry) in entries { found[key] = (valid(entry), false) }
    } catch {
      if Task.isCancelled { throw error }
      for key in rest {
        reporter.report(.storeFailed(error), key)
        found[key] = (nil, StorageError.mayPass(error))
      }
    }
    return found
  }

  private func cached(_ key: Key) -> Entry<Cached<Value>>? {
    base.peek(forKey: key).live(by: dates)
  }

  private func valid(_ entry: Entry<Cached<Value>>) -> Cached<Value>? {
    entry.expiry.isExpired(by: dates) ? nil : entry.object.ending(entry.expiry)
  }

  private func inTime<R: Sendable>(
    _ key: Key, _ read: @escaping @Sendable () async throws -> R
  ) async throws -> R {
    guard let limit = policy.storeTimeout else { return try await read() }
    let error = StorageError.timedOut.with("the inner store took longer than \(limit)", key: key)
    return try await withTimeLimit(limit, on: clock, throwing: error, read)
  }
}
