public import StrataCore

/// Pending writes are made before a program ends.
extension ReplayingStorage: StorageLifecycle {
  /// The number of pending writes.
  public var unfinishedOperations: Int { waitingWrites }

  /// Makes the pending writes, and tries again after the usual pauses as long as the store fails.
  public func finish() async throws {
    var failures = 0
    while true {
      do { return try await replay() } catch {
        if Task.isCancelled || !StorageError.mayPass(error) { throw error }
        failures += 1
        try await sleeping.sleep(for: backoff.delay(afterFailures: failures, random: .random(in: 0...1)))
      }
    }
  }
}
