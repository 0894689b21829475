// The functions of the standard library that these extend take closures which leave the caller's actor: their types
// are not `nonisolated(nonsending)`. A closure that captures the actor stays on it. It then needs no other thread to
// begin, and may call the caller's functions, which belong to the actor.

extension TaskLocal {
  /// Runs `body` in the caller's isolation while the task-local value is bound.
  @inlinable
  package func binding<R>(
    _ value: Value, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> R
  ) async rethrows -> R {
    try await withValue(value) {
      _ = isolation
      return try await body()
    }
  }
}

/// Runs `body` in the caller's isolation, and `onCancel` if the task is cancelled meanwhile.
package func cancelling<R>(
  isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> R,
  onCancel: @Sendable () -> Void
) async rethrows -> R {
  try await withTaskCancellationHandler {
    _ = isolation
    return try await body()
  } onCancel: {
    onCancel()
  }
}
