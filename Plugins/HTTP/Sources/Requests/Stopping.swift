#if canImport(FoundationNetworking)
  import Dispatch
  import FoundationNetworking
  import StrataCore

  /// Cancels the request of a Swift task when that task is cancelled.
  ///
  /// The session's own `data(for:)` and `download(for:)` may never return if they are cancelled while the response
  /// ends (swift-corelibs-foundation, issue 5412, mended after Swift 6.3): the cancellation handler, which runs with
  /// the task's lock, waits for the session's queue, and that queue waits for the lock to resume the task.
  final class Stopping: Sendable {
    private struct State {
      var isCancelled = false
      var request: URLSessionTask?
    }

    private let state = Locked(State())

    /// Calls a function that starts a request, and waits until its continuation is resumed.
    static func run<R: Sendable>(
      _ start: (CheckedContinuation<R, any Error>, Stopping) -> Void
    ) async throws -> R {
      let stopping = Stopping()
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { start($0, stopping) }
      } onCancel: {
        stopping.cancel()
      }
    }

    /// Starts a request. A request that was cancelled before it is started would never end.
    func start(_ request: URLSessionTask) {
      request.resume()
      let isCancelled = state.withLock { state in
        state.request = request
        return state.isCancelled
      }
      if isCancelled { request.cancel() }
    }

    private func cancel() {
      let request = state.withLock { state in
        state.isCancelled = true
        return state.request
      }
      // The cancellation runs on a thread that holds no locks.
      if let request { DispatchQueue.global().async { request.cancel() } }
    }
  }
#endif
