// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverForceUnwrap

import Synchronization

public protocol Service: Sendable {
  func run() async throws
}

public func withGracefulShutdownHandler<T>(
  isolation: isolated (any Actor)? = #isolation, operation: () async throws -> T,
  onGracefulShutdown handler: @Sendable @escaping () -> Void
) async rethrows -> T {
  guard let shutdown = Shutdown.current else { return try await operation() }
  shutdown.add(handler)
  return try await operation()
}

/// What a graceful shutdown calls. Handlers stay until it comes: no program of the tests runs long.
package final class Shutdown: Sendable {
  private struct State {
    var handlers: [@Sendable () -> Void] = []
    var hasBegun = false
  }

  @TaskLocal package static var current: Shutdown?
  private let state = Mutex(State())

  package init() {}

  func add(_ handler: @escaping @Sendable () -> Void) {
    let hasBegun = state.withLock { state in
      if !state.hasBegun { state.handlers.append(handler) }
      return state.hasBegun
    }
    if hasBegun { handler() }
  }

  package func begin() {
    let handlers = state.withLock { state in
      state.hasBegun = true
      defer { state.handlers = [] }
      return state.handlers
    }
    for handler in handlers { handler() }
  }
}
