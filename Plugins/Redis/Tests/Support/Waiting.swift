import StrataCore

/// What a test waited for has not come about in a minute. Nothing waits longer: a test that cannot end would hold up
/// all others.
struct NeverCame: Error {
  /// Why the last try failed, if it did.
  let reason: (any Error)?
}

/// Tries until it works: what fails meanwhile is a server on its way back. Fails after a minute.
func eventually<R>(_ body: () async throws -> R) async throws -> R {
  try await trying { .some(try await body()) }
}

/// Waits until something is true; what fails meanwhile is a server on its way back. Fails after a minute.
func eventually(_ condition: () async throws -> Bool) async throws {
  try await trying { try await condition() ? () : nil }
}

private func trying<R>(_ body: () async throws -> R?) async throws -> R {
  let end = ContinuousClock.now + .seconds(60)
  while true {
    var reason: (any Error)?
    do {
      if let result = try await body() { return result }
    } catch let error as StorageError where error == .backendFailed {
      reason = error
    } catch let error as CannotStart { reason = error }
    if ContinuousClock.now > end { throw NeverCame(reason: reason) }
    // Whoever is waited for needs the processor as well.
    try await Task.sleep(for: .milliseconds(1))
  }
}
