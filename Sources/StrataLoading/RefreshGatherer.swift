import StrataCore

/// Refreshes that wait a while for others, to be made by one call of the loader.
final class RefreshGatherer<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  typealias Planned = PlannedLoad<Key, Value>

  private let waiting = Locked<[Planned]>([])

  /// Adds refreshes. Returns those that are to be made now because there are enough of them, and whether the first of
  /// those that wait was added: then somebody is to take them later.
  func add(_ loads: [Planned], limit: Int) -> (full: [Planned], isFirst: Bool) {
    waiting.withLock { waiting in
      let wasEmpty = waiting.isEmpty
      waiting += loads
      guard waiting.count >= limit else { return ([], wasEmpty && !waiting.isEmpty) }
      defer { waiting = [] }
      return (waiting, false)
    }
  }

  /// Takes all that wait.
  func takeAll() -> [Planned] {
    waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
  }

  /// Takes all that wait, if one of a flight does.
  func takeAll(with flight: FlightID) -> [Planned] {
    waiting.withLock { waiting in
      guard waiting.contains(where: { $0.flight == flight }) else { return [] }
      defer { waiting = [] }
      return waiting
    }
  }
}
