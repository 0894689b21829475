import StrataCore

/// Where the first callers wait until the test lets them go on; later ones pass.
package final class Gate: Sendable {
  private struct State {
    var places: Int
    var arrived = 0
    var held: [CheckedContinuation<Void, Never>] = []
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state: Locked<State>

  package init(holding places: Int) { state = Locked(State(places: places)) }

  /// Waits, if there is a place to wait.
  package func pass() async {
    await withCheckedContinuation { continuation in
      let (isHeld, watchers) = state.withLock { state in
        state.arrived += 1
        let isHeld = state.held.count < state.places
        if isHeld { state.held.append(continuation) }
        let met = state.watchers.filter { $0.count <= state.arrived }
        state.watchers.removeAll { $0.count <= state.arrived }
        return (isHeld, met.map(\.continuation))
      }
      if !isHeld { continuation.resume() }
      for watcher in watchers { watcher.resume() }
    }
  }

  /// Waits until so many callers have come.
  package func arrivals(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isMet = state.withLock { state in
        if state.arrived >= count { return true }
        state.watchers.append((count, continuation))
        return false
      }
      if isMet { continuation.resume() }
    }
  }

  /// Lets all go on, and nobody wait any more.
  package func open() {
    let held = state.withLock { state in
      state.places = 0
      defer { state.held = [] }
      return state.held
    }
    for continuation in held { continuation.resume() }
  }
}
