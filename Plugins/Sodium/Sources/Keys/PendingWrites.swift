import StrataCore

/// The writes of encrypted values that are in progress. A rotation waits for the writes that may use an older key.
///
/// Each new key starts a generation of writes. Waiting ends when all writes of earlier generations have ended: writes
/// that began with the newest key do not prolong it, and no write is ever blocked. O(1) per write.
package final class PendingWrites: Sendable {
  private typealias Wake = @Sendable (Result<Void, any Error>) -> Void

  private struct Waiter: Sendable {
    let id: Int
    /// The generation whose predecessors are waited for: all writes of earlier generations.
    let generation: Int
    let wake: Wake
  }

  private struct State: Sendable {
    /// The number of the oldest generation with writes in progress, or of the current generation.
    var oldest = 0
    /// The number of writes in progress of each generation, from the oldest to the current one.
    var counts = [0]
    var waiters: [Waiter] = []
    var lastWaiter = 0

    var current: Int { oldest + counts.count - 1 }
  }

  private let state = Locked(State())

  /// Whether any caller waits for writes.
  package var areAwaited: Bool { state.withLock { !$0.waiters.isEmpty } }

  /// Begins a write and returns its generation. The caller must look up its key after this call.
  func begin() -> Int {
    state.withLock { state in
      state.counts[state.counts.count - 1] += 1
      return state.current
    }
  }

  /// Starts a generation: writes that begin after this call use the newest key.
  func advance() {
    state.withLock { state in
      if state.counts[state.counts.count - 1] > 0 { state.counts.append(0) }
    }
  }

  /// Ends a write, whether it succeeded or not.
  func end(_ generation: Int) {
    let done = state.withLock { state in
      state.counts[generation - state.oldest] -= 1
      guard state.counts.count > 1, state.counts[0] == 0 else { return [Waiter]() }
      while state.counts.count > 1, state.counts[0] == 0 {
        state.counts.removeFirst()
        state.oldest += 1
      }
      let done = state.waiters.filter { $0.generation <= state.oldest }
      state.waiters.removeAll { $0.generation <= state.oldest }
      return done
    }
    for waiter in done { waiter.wake(.success(())) }
  }

  /// Suspends until all writes of earlier generations have ended. Throws `CancellationError` if the task is cancelled
  /// meanwhile.
  func waitForEarlier() async throws {
    let id = newWaiter()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        enter(id) { continuation.resume(with: $0) }
        // If the task was cancelled before `enter`, the handler found no waiter to wake.
        if Task.isCancelled { giveUp(id) }
      }
    } onCancel: {
      giveUp(id)
    }
  }

  /// Blocks until all writes of earlier generations have ended.
  func blockForEarlier() {
    let done = SignalBox<Void>()
    enter(newWaiter()) { _ in done.put(()) }
    done.take()
  }

  private func newWaiter() -> Int {
    state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
  }

  private func enter(_ id: Int, _ wake: @escaping Wake) {
    let mustWait = state.withLock { state in
      guard state.oldest < state.current else { return false }
      state.waiters.append(Waiter(id: id, generation: state.current, wake: wake))
      return true
    }
    if !mustWait { wake(.success(())) }
  }

  private func giveUp(_ id: Int) {
    let waiter = state.withLock { state -> Waiter? in
      guard let index = state.waiters.firstIndex(where: { $0.id == id }) else { return nil }
      return state.waiters.remove(at: index)
    }
    waiter?.wake(.failure(CancellationError()))
  }
}
