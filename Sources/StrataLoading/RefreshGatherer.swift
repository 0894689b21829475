import StrataCore

/// Gathers refreshes for a while, so that one call of the loader serves them.
final class RefreshGatherer<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  typealias Planned = PlannedLoad<Key, Value>

  /// One refresh for each key: a call of the loader must not have a key twice.
  private let waiting = Locked<[Key: Planned]>([:])

  /// Adds refreshes. A waiting refresh of the same key is replaced: its key has changed, since callers could still join
  /// it otherwise.
  ///
  /// Returns the refreshes to run now because the batch is full, the replaced ones, and whether the first waiting
  /// refresh was added. If so, the caller must take the rest later.
  func add(_ loads: [Planned], limit: Int) -> (full: [Planned], replaced: [Planned], isFirst: Bool) {
    waiting.withLock { waiting in
      let wasEmpty = waiting.isEmpty
      let replaced = loads.compactMap { waiting.updateValue($0, forKey: $0.key) }
      guard waiting.count >= limit else { return ([], replaced, wasEmpty && !waiting.isEmpty) }
      defer { waiting = [:] }
      return (Array(waiting.values), replaced, false)
    }
  }

  /// Takes all waiting refreshes.
  func takeAll() -> [Planned] {
    waiting.withLock { waiting in
      defer { waiting = [:] }
      return Array(waiting.values)
    }
  }

  /// Takes all waiting refreshes if one of them belongs to an in-flight load.
  func takeAll(with flight: FlightID) -> [Planned] {
    waiting.withLock { waiting in
      guard waiting.values.contains(where: { $0.flight == flight }) else { return [] }
      defer { waiting = [:] }
      return Array(waiting.values)
    }
  }
}
