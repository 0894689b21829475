import StrataCore
import Testing

/// Where the first callers wait until the test lets them go on; later ones pass.
package final class Gate: Sendable {
  private struct State {
    var places: Int
    var arrived = 0
    var held: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Locked<State>

  package init(holding places: Int) { state = Locked(State(places: places)) }

  /// Waits, if there is a place to wait.
  package func pass() async {
    await withCheckedContinuation { continuation in
      let isHeld = state.withLock { state in
        state.arrived += 1
        let isHeld = state.held.count < state.places
        if isHeld { state.held.append(continuation) }
        return isHeld
      }
      if !isHeld { continuation.resume() }
    }
  }

  /// Waits until so many callers have come. Fails the test if they do not.
  package func arrivals(_ count: Int) async { await until { state.withLock { $0.arrived >= count } } }

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
