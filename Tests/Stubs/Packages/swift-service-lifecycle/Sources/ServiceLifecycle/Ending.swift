// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverForceUnwrap

public func withTaskCancellationOrGracefulShutdownHandler<T>(
  isolation: isolated (any Actor)? = #isolation, operation: () async throws -> T,
  onCancelOrGracefulShutdown handler: @Sendable @escaping () -> Void
) async rethrows -> T {
  try await withTaskCancellationHandler {
    try await withGracefulShutdownHandler(operation: operation, onGracefulShutdown: handler)
  } onCancel: {
    handler()
  }
}
