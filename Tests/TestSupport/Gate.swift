import StrataCore
import Testing

/// A gate that holds the first callers until the test opens it; later callers pass.
package final class Gate: Sendable {
  private struct State {
    var places: Int
    var arrived = 0
    var held: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Locked<State>

  package init(holding places: Int) { state = Locked(State(places: places)) }

  /// Waits at the gate, unless it is open or already holds its number of callers.
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

  /// Waits until this many callers have arrived. Fails the test if they do not.
  package func arrivals(_ count: Int) async { await until { state.withLock { $0.arrived >= count } } }

  /// Releases all waiting callers, and lets later ones pass.
  package func open() {
    let held = state.withLock { state in
      state.places = 0
      defer { state.held = [] }
      return state.held
    }
    for continuation in held { continuation.resume() }
  }
}
