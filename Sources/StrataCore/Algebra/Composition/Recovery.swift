/// The reaction to a read that has failed or found nothing.
package protocol Recovery<Key, Value>: Sendable {
  associatedtype Key: Sendable
  associatedtype Value: Sendable
  /// Whether reads other than `retrieve` recover only from absence, and throw failures.
  var isForAbsence: Bool { get }
  /// Returns the recovered value, or throws the error for the caller.
  func value(after error: any Error, forKey key: Key) async throws -> Value
}

extension Recovery {
  package var isForAbsence: Bool { false }

  /// Throws the error if only `retrieve` recovers from it.
  func throwUnlessRecoverable(_ error: any Error) throws {
    if isForAbsence, !isNotFound(error) { throw error }
  }

  private func isNotFound(_ error: any Error) -> Bool {
    if case StorageError.notFound = error { true } else { false }
  }
}

/// A recovery that does not suspend.
package protocol SyncRecovery<Key, Value>: Recovery {
  func value(after error: any Error, forKey key: Key) throws -> Value
}

/// A recovery that always has a value.
package protocol SafeRecovery<Key, Value>: Recovery {
  func value(after error: any Error, forKey key: Key) async -> Value
}

/// A recovery that always has a value and does not suspend.
package protocol SafeSyncRecovery<Key, Value>: SyncRecovery, SafeRecovery {
  func value(after error: any Error, forKey key: Key) -> Value
}

/// A recovery with a default value, which is created for each read.
///
/// Reads that can throw return it only for an absent value. A combinator or an `update` could otherwise store it over
/// an existing value that could not be read.
package struct DefaultValue<Key: Sendable, Value: Sendable>: SafeSyncRecovery {
  let make: @Sendable (Key) -> Value

  package var isForAbsence: Bool { true }
  package func value(after error: any Error, forKey key: Key) -> Value { make(key) }
}

package struct AsyncClosureRecovery<Key: Sendable, Value: Sendable>: Recovery {
  let recover: @Sendable (any Error) async throws -> Value
  package func value(after error: any Error, forKey key: Key) async throws -> Value {
    try await recover(error)
  }
}

package struct ClosureRecovery<Key: Sendable, Value: Sendable>: SyncRecovery {
  let recover: @Sendable (any Error) throws -> Value
  package func value(after error: any Error, forKey key: Key) throws -> Value { try recover(error) }
}

package struct SafeAsyncClosureRecovery<Key: Sendable, Value: Sendable>: SafeRecovery {
  let recover: @Sendable (any Error) async -> Value
  package func value(after error: any Error, forKey key: Key) async -> Value { await recover(error) }
}

package struct SafeClosureRecovery<Key: Sendable, Value: Sendable>: SafeSyncRecovery {
  let recover: @Sendable (any Error) -> Value
  package func value(after error: any Error, forKey key: Key) -> Value { recover(error) }
}
