package import StrataCore

/// The stores that report the reconnections of a client to its servers.
package final class Reconnections: Sendable {
  private struct State {
    var isLost = false
    var stores: [(tell: @Sendable () -> Void, isThere: @Sendable () -> Bool)] = []
  }

  private let state = Locked(State())

  package init() {}

  /// Reports later reconnections of the client as events of a store, as long as the store exists.
  package func report(to reporter: TierReporter<some Sendable>) {
    state.withLock { state in
      state.stores.removeAll { !$0.isThere() }
      state.stores.append(
        (
          tell: { [weak reporter] in reporter?.report(.reconnection, nil) },
          isThere: { [weak reporter] in reporter != nil }
        ))
    }
  }

  /// Notes that a connection has been lost that was ready.
  package func lost() { state.withLock { $0.isLost = true } }

  /// Notes that a connection is ready, and reports it if one was lost before. Not under a lock of the client.
  package func ready() {
    let told = state.withLock { state in
      defer { state.isLost = false }
      return state.isLost ? state.stores.map(\.tell) : []
    }
    for tell in told { tell() }
  }
}
