import StrataCore

/// Gathers refreshes for a while, so that one call of the loader serves them.
final class RefreshGatherer<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  typealias Planned = PlannedLoad<Key, Value>

  private let waiting = Locked<[Planned]>([])

  /// Adds refreshes. Returns the refreshes to run now because the batch is full, and whether the first waiting refresh
  /// was added. If so, the caller must take the rest later.
  func add(_ loads: [Planned], limit: Int) -> (full: [Planned], isFirst: Bool) {
    waiting.withLock { waiting in
      let wasEmpty = waiting.isEmpty
      waiting += loads
      guard waiting.count >= limit else { return ([], wasEmpty && !waiting.isEmpty) }
      defer { waiting = [] }
      return (waiting, false)
    }
  }

  /// Takes all waiting refreshes.
  func takeAll() -> [Planned] {
    waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
  }

  /// Takes all waiting refreshes if one of them belongs to an in-flight load.
  func takeAll(with flight: FlightID) -> [Planned] {
    waiting.withLock { waiting in
      guard waiting.contains(where: { $0.flight == flight }) else { return [] }
      defer { waiting = [] }
      return waiting
    }
  }
}
