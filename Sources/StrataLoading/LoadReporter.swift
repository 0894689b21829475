import StrataCore
import Synchronization

/// Counts the operations of a loading store, and reports its events to listeners.
final class LoadReporter<Key: Sendable>: Sendable {
  typealias Event = LoadEvent<Key>

  private struct State: Sendable {
    var statistics = LoadStatistics()
    var lastID = 0
    var streams: [Int: AsyncStream<Event>.Continuation] = [:]
  }

  private let state = Locked(State())
  let hits = HitCounter()

  deinit { state.withLock { $0.streams.values.forEach { $0.finish() } } }

  var statistics: LoadStatistics {
    var statistics = state.withLock { $0.statistics }
    statistics.hits += hits.count
    return statistics
  }

  func hit(_ key: Key) {
    if hits.add() { tellHit(key) }
  }

  func report(_ kind: Event.Kind, _ key: Key) {
    if case .hit = kind { return hit(key) }
    state.withLock { $0.statistics.count(kind) }
    if hits.isObserved { tell(Event(key: key, kind: kind)) }
  }

  /// Reports a hit that was counted already.
  func tellHit(_ key: Key) { tell(Event(key: key, kind: .hit)) }

  private func tell(_ event: Event) {
    for stream in state.withLock({ Array($0.streams.values) }) { stream.yield(event) }
  }

  /// Returns the events from now on. A reader that falls behind by more than `limit` loses the oldest.
  func events(keeping limit: Int) -> AsyncStream<Event> {
    let (stream, continuation) = AsyncStream<Event>.makeStream(bufferingPolicy: .bufferingNewest(limit))
    let id = state.withLock { state in
      state.lastID += 1
      state.streams[state.lastID] = continuation
      hits.setObserved(true)
      return state.lastID
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { state in
        state.streams[id] = nil
        self?.hits.setObserved(!state.streams.isEmpty)
      }
    }
    return stream
  }
}
