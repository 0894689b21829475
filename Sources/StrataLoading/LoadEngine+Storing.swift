import StrataCore
import Synchronization

/// The writes of loaded values.
extension LoadEngine {
  /// Stores loaded values, except of keys that have changed since. A failure to store is reported as an event, and the
  /// value is returned nevertheless.
  func store(_ landings: inout [Landing], _ start: LoadStart<Key>) async {
    for index in landings.indices where !landings[index].tags.isEmpty {
      do {
        let marks = try await marks(of: landings[index].tags, start)
        landings[index].cached = landings[index].cached.tagged(marks)
      } catch {
        reporter.report(.storeFailed(error), landings[index].key)
        // Stored without its tags, the value could not be removed by them.
        landings[index].isWhole = false
      }
    }
    do {
      let scope: TurnScope<Key> = landings.count == 1 ? .key(landings[0].key) : .init(landings.map(\.key))
      try await order.withTurn(scope) { [landings] in
        let current = landings.filter { isCurrent($0, start) }
        if loader.isForMany { for landing in current { overlaps.store(landing.key, by: start.call) } }
        await write(current, start.leases)
      }
    } catch {
      for landing in landings { reporter.report(.storeFailed(error), landing.key) }
    }
  }

  /// Returns whether a loaded value is still to be stored.
  private func isCurrent(_ landing: Landing, _ start: LoadStart<Key>) -> Bool {
    if landing.cached.details?.tags.contains(where: \.isRefused) ?? false {
      namedTags.withLock { if $0.count < 10_000 { $0[landing.key] = landing.tags } }
      reporter.report(.overtaken, landing.key)
      return false
    }
    guard let flight = landing.flight else {
      return !flights.isOpen(landing.key) && changes.load(ordering: .sequentiallyConsistent) == start.changes
        && !overlaps.contains(landing.key, since: start.call)
    }
    if flights.isOvertaken(flight) {
      reporter.report(.overtaken, landing.key)
      return false
    }
    return true
  }

  /// Writes values, one batch for each expiry. A write under a lease, and one with a condition, is a single one.
  private func write(_ landings: [Landing], _ leases: [Key: StorageLease]) async {
    var batches: [Expiry?: [Key: Cached<Value>]] = [:]
    for landing in landings where landing.isWhole {
      let lease = leases[landing.key]
      if lease == nil, landing.isKept, !landing.isUnread {
        batches[keptUntil(landing.cached, landing.keep), default: [:]][landing.key] = landing.cached
      } else {
        await write(landing, under: lease)
      }
    }
    for (expiry, batch) in batches { await write(batch, expiry) }
  }

  /// Stores or removes a value. If the key could not be read before the load, stores the value only if the store has
  /// none, since another process may have stored one meanwhile, and removes nothing.
  private func write(_ landing: Landing, under lease: StorageLease?) async {
    let (key, cached) = (landing.key, landing.cached)
    let expiry = keptUntil(cached, landing.keep)
    if landing.isKept {
      await writing(key, landing.isUnread ? .setIfAbsent(cached, expiry) : .set(cached, expiry), under: lease)
    } else if landing.hasStale, !landing.isUnread {
      // If the load saw no value, another process may have stored one since: that one stays.
      await writing(key, .remove)
    }
  }

  private func write(_ batch: [Key: Cached<Value>], _ expiry: Expiry?) async {
    do {
      if batch.count > 1 { return try await base.setObjects(batch, expiry: expiry) }
    } catch {
      // A batch fails as a whole. Single writes fail separately.
    }
    for (key, cached) in batch { await writing(key, .set(cached, expiry)) }
  }

  /// Makes a change, and emits an event if it fails or its condition is not met.
  private func writing(
    _ key: Key, _ change: StoreChange<Cached<Value>>, under lease: StorageLease? = nil
  ) async {
    do {
      let isMade =
        if let lease {
          try await lease.whileHeld { try await base.change(key, change, []) }
        } else {
          try await base.change(key, change, [])
        }
      if !isMade, case .setIfAbsent = change.kind { reporter.report(.overtaken, key) }
    } catch StorageError.leaseLost { reporter.report(.leaseLost, key) } catch {
      reporter.report(.storeFailed(error), key)
    }
  }

  /// Returns the expiry of an entry in the inner store; `nil` for the store's own.
  func keptUntil(_ cached: Cached<Value>, _ keep: Double) -> Expiry? {
    cached.end == .infinity ? nil : Expiry(secondsSinceReferenceDate: cached.end + keep)
  }

  /// Returns the generations of tags from before the load. A generation that was not read then is read now, and counts
  /// only if no machine has removed a tag since. Otherwise the marks are refused.
  private func marks(of tags: Set<Tag>, _ start: LoadStart<Key>) async throws -> [TagMark] {
    var marks: [TagMark] = []
    for tag in tags.sorted(by: { $0.name < $1.name }) {
      var generation = start.tags[tag]
      if generation == nil { generation = try await generations.generation(tag.name, makes: true) }
      if let generation { marks.append(TagMark(tag: tag, generation: generation)) }
    }
    // After the generations: a removal replaces the mark of removals first.
    var isRemoved = generations.removals.contains(tags, after: start.removals)
    if !isRemoved, !tags.allSatisfy({ start.tags[$0] != nil }) {
      isRemoved = try await generations.hasRemovals(since: start.sharedRemovals)
    }
    return isRemoved ? marks.map { TagMark(tag: $0.tag, generation: 0) } : marks
  }
}
