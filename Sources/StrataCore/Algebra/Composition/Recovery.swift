/// What to do after a read failed or found nothing.
package protocol Recovery<Value>: Sendable {
  associatedtype Value: Sendable
  /// The value to answer with; throws what the reader shall see instead.
  func value(after error: any Error) async throws -> Value
}

/// A recovery that does not suspend.
package protocol SyncRecovery<Value>: Recovery {
  func value(after error: any Error) throws -> Value
}

/// A recovery that always has a value.
package protocol SafeRecovery<Value>: Recovery {
  func value(after error: any Error) async -> Value
}

/// A recovery that always has a value and does not suspend.
package protocol SafeSyncRecovery<Value>: SyncRecovery, SafeRecovery {
  func value(after error: any Error) -> Value
}

/// Answers absence, and only that, with a value.
package struct DefaultValue<Value: Sendable>: SyncRecovery {
  let value: Value

  package func value(after error: any Error) throws -> Value {
    guard case StorageError.notFound = error else { throw error }
    return value
  }
}

package struct AsyncClosureRecovery<Value: Sendable>: Recovery {
  let recover: @Sendable (any Error) async throws -> Value
  package func value(after error: any Error) async throws -> Value { try await recover(error) }
}

package struct ClosureRecovery<Value: Sendable>: SyncRecovery {
  let recover: @Sendable (any Error) throws -> Value
  package func value(after error: any Error) throws -> Value { try recover(error) }
}

package struct SafeAsyncClosureRecovery<Value: Sendable>: SafeRecovery {
  let recover: @Sendable (any Error) async -> Value
  package func value(after error: any Error) async -> Value { await recover(error) }
}

package struct SafeClosureRecovery<Value: Sendable>: SafeSyncRecovery {
  let recover: @Sendable (any Error) -> Value
  package func value(after error: any Error) -> Value { recover(error) }
}
