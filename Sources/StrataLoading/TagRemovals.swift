import StrataCore

/// The recently removed tags, for loads that overlap a removal.
final class TagRemovals: Sendable {
  private struct State: Sendable {
    var last = 0
    var removals: [Tag: Int] = [:]
    /// The last removal whose tags are no longer recorded.
    var forgotten = 0
  }

  private let state = Locked(State())

  /// The number of the last removal.
  var last: Int { state.withLock { $0.last } }

  func add(_ tag: Tag) {
    state.withLock { state in
      if state.removals.count >= 10_000 {
        state.removals = [:]
        state.forgotten = state.last
      }
      state.last += 1
      state.removals[tag] = state.last
    }
  }

  /// Returns whether any of the tags may have been removed since the removal with this number.
  func contains(_ tags: Set<Tag>, after mark: Int) -> Bool {
    state.withLock { state in
      if tags.isEmpty || state.last == mark { return false }
      return mark < state.forgotten || tags.contains { state.removals[$0, default: 0] > mark }
    }
  }
}
