// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverForceUnwrap

public func cancelWhenGracefulShutdown<T: Sendable>(
  _ operation: @Sendable @escaping () async throws -> T
) async rethrows -> T {
  let (shutdown, shutdownBegins) = AsyncStream.makeStream(of: Never.self)
  return try await withGracefulShutdownHandler {
    try await withThrowingTaskGroup(of: T?.self) { group in
      group.addTask { try await operation() }
      group.addTask {
        for await _ in shutdown {}
        return nil
      }
      while let end = try await group.next() {
        group.cancelAll()
        if let value = end { return value }
      }
      fatalError("the operation has no end")
    }
  } onGracefulShutdown: {
    shutdownBegins.finish()
  }
}
