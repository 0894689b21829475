import StrataCore

/// A limited number of concurrent operations: the others wait in order, and leave the queue if they are cancelled.
final class Slots: Sendable {
  private struct State {
    var free: Int
    var lastID = 0
    var queue = FIFO<Int>()
    var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
  }

  private let state: Locked<State>

  init(_ count: Int) { state = Locked(State(free: max(count, 1))) }

  /// Runs an operation when it may run.
  func run<R>(_ body: () async throws -> R) async throws -> R {
    try await enter()
    defer { leave() }
    return try await body()
  }

  private func enter() async throws {
    let id: Int? = state.withLock { state in
      if state.free > 0 {
        state.free -= 1
        return nil
      }
      state.lastID += 1
      return state.lastID
    }
    guard let id else { return }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isFree = state.withLock { state in
          // One may have become free meanwhile.
          if state.free > 0 {
            state.free -= 1
            return true
          }
          state.queue.append(id)
          state.waiting[id] = continuation
          return false
        }
        if isFree { return continuation.resume() }
        // Cancelled before it was in the queue, so that the handler has not found it.
        if Task.isCancelled { abandon(id) }
      }
    } onCancel: {
      abandon(id)
    }
  }

  private func abandon(_ id: Int) {
    state.withLock { $0.waiting.removeValue(forKey: id) }?.resume(throwing: CancellationError())
  }

  private func leave() {
    let next: CheckedContinuation<Void, any Error>? = state.withLock { state in
      while let id = state.queue.popFirst() {
        if let next = state.waiting.removeValue(forKey: id) { return next }
      }
      state.free += 1
      return nil
    }
    next?.resume()
  }
}
