/// The wait of a task for a turn: it is recorded in `WaitGraph`, and given up if the task is cancelled.
///
/// `begin` receives the turn, in synchronous code. A task can therefore enter a queue and hand over the operation that
/// runs in the turn without suspending between the two. A suspended task would need a thread to go on, and callers
/// without `await` that wait behind it could block all threads of the cooperative pool.
package final class TaskWait<Key: Hashable & Sendable>: Sendable {
  private struct State {
    var turn: Turn<Key>?
    var runners: [Runner] = []
    var isCancelled = false
  }

  private let order: KeyOrder<Key>
  private let state = Locked(State())

  package init(in order: KeyOrder<Key>) { self.order = order }

  /// Records that this task, and every operation that it is part of, waits for a turn. Throws `.deadlock` if the turn
  /// waits for one of them.
  package func begin(for turn: Turn<Key>) throws {
    let runners = OngoingOperation.runners
    guard WaitGraph.enter(turn, by: runners) else { throw KeyOrder.circle(turn.scope) }
    let isCancelled = state.withLock { state in
      state.turn = turn
      state.runners = runners
      return state.isCancelled
    }
    if isCancelled { order.abandon(turn) }
  }

  /// Cancels the wait, unless the turn has come.
  package func cancel() {
    let turn = state.withLock { state in
      state.isCancelled = true
      return state.turn
    }
    if let turn { order.abandon(turn) }
  }

  /// Records that the task no longer waits.
  package func end() {
    let (turn, runners) = state.withLock { ($0.turn, $0.runners) }
    if let turn { WaitGraph.leave(turn, by: runners) }
  }
}
