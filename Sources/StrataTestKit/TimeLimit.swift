import Dispatch
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Thrown if a body has not ended in time.
struct TimeLimitExceeded: Error {}

/// Runs a body, and throws `TimeLimitExceeded` if it has not ended after a number of seconds.
///
/// The body is then cancelled but not awaited, so a store that waits for ever keeps its thread. The time is measured on
/// a separate thread, since the body may block the threads of all tasks.
func within(_ seconds: Double, _ body: @escaping @Sendable () async throws -> Void) async throws {
  let task = Task { try await body() }
  let isOver = Shared(false)
  @Sendable func isFirst() -> Bool {
    isOver.change { isOver in
      defer { isOver = true }
      return !isOver
    }
  }
  try await withTaskCancellationHandler {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      DispatchQueue.global().asyncAfter(deadline: .now() + seconds) {
        guard isFirst() else { return }
        task.cancel()
        continuation.resume(throwing: TimeLimitExceeded())
      }
      Task {
        let result = await task.result
        if isFirst() { continuation.resume(with: result) }
      }
    }
  } onCancel: {
    task.cancel()
  }
}
