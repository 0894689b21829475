import StrataCore

/// The error for a condition that was not met within a minute. No test waits longer, since a test that never ends would
/// block all others.
package struct NeverCame: Error {
  /// The error of the last attempt, if it failed.
  package let reason: (any Error)?

  package init(reason: (any Error)?) { self.reason = reason }
}

/// Repeats `body` until it succeeds; errors are expected while a server restarts. Fails after a minute.
package func eventually<R>(_ body: () async throws -> R) async throws -> R {
  try await trying { .some(try await body()) }
}

/// Waits until `condition` is true; errors are expected while a server restarts. Fails after a minute.
package func eventually(_ condition: () async throws -> Bool) async throws {
  try await trying { try await condition() ? () : nil }
}

private func trying<R>(_ body: () async throws -> R?) async throws -> R {
  let end = ContinuousClock.now + .seconds(60)
  var pause = Duration.milliseconds(1)
  while true {
    var reason: (any Error)?
    do {
      if let result = try await body() { return result }
    } catch let error as StorageError where error == .backendFailed {
      reason = error
    } catch let error as CannotStart { reason = error }
    if ContinuousClock.now > end { throw NeverCame(reason: reason) }
    // The awaited process needs the processor too. A new connection every millisecond would keep it busy.
    try await Task.sleep(for: pause)
    pause = min(pause * 2, .milliseconds(16))
  }
}
