import StrataCore

/// A limit on concurrent operations. Further operations wait in order of arrival, and leave the queue when cancelled.
final class Slots: Sendable {
  private struct State {
    var free: Int
    var lastID = 0
    var queue = FIFO<Int>()
    var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
  }

  private let state: Locked<State>

  init(_ count: Int) { state = Locked(State(free: max(count, 1))) }

  /// Waits for a free slot and runs an operation in it.
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
          // A slot may have become free since the first check.
          if state.free > 0 {
            state.free -= 1
            return true
          }
          state.queue.append(id)
          state.waiting[id] = continuation
          return false
        }
        if isFree { return continuation.resume() }
        // If the task was cancelled before it joined the queue, the cancellation handler has not found it there.
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
