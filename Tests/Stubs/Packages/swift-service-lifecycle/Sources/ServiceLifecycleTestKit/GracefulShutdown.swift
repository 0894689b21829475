// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverForceUnwrap

import ServiceLifecycle

public struct GracefulShutdownTestTrigger: Sendable {
  let shutdown: Shutdown

  public func triggerGracefulShutdown() { shutdown.begin() }
}

public func testGracefulShutdown<T>(
  _ operation: (GracefulShutdownTestTrigger) async throws -> T
) async rethrows -> T {
  let shutdown = Shutdown()
  return try await Shutdown.$current.withValue(shutdown) {
    try await operation(GracefulShutdownTestTrigger(shutdown: shutdown))
  }
}
