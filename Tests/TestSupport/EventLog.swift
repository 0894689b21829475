package import StrataCore

/// What a store has reported.
package final class EventLog<Key: Hashable & Sendable>: Sendable {
  private struct State {
    var lines: [String] = []
    var counts: [String: [String: Int]] = [:]
    var durations: [String: [Duration]] = [:]
  }

  private let state = Locked(State())
  private let token = Locked<ObservationToken?>(nil)

  package init(_ store: some StorageAware<Key, some Any>) {
    let listening = store.listen { [weak self] event in
      self?.state.withLock { state in
        let what = event.key.map { "\($0)" } ?? (event.count == 1 ? "-" : "\(event.count)")
        state.lines.append("\(event.tier) \(event.kind.name) \(what)")
        if let duration = event.duration {
          state.durations["\(event.tier) \(event.kind.name)", default: []].append(duration)
        }
        state.counts[event.tier, default: [:]][event.kind.name, default: 0] += event.count
      }
    }
    token.withLock { $0 = listening }
  }

  package var counts: [String: [String: Int]] { state.withLock { $0.counts } }

  /// The durations of the events of a kind that were measured.
  package func durations(_ tier: String, _ kind: String) -> [Duration] {
    state.withLock { $0.durations["\(tier) \(kind)", default: []] }
  }

  /// Returns the lines since the last call, sorted: the tiers of one operation may be asked in any order.
  package func take() -> [String] {
    state.withLock { state in
      defer { state.lines = [] }
      return state.lines.sorted()
    }
  }

  package func end() { token.withLock { $0?.cancel() } }
}
