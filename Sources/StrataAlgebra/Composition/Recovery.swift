import StrataCore

/// The reaction to a read that has failed or found nothing. If `Failure` is `Never`, it always has a value.
package protocol Recovery<Key, Value>: Sendable {
  associatedtype Key: Sendable
  associatedtype Value: Sendable
  associatedtype Failure: Error
  /// Whether reads other than `retrieve` recover only from absence, and throw failures.
  var isForAbsence: Bool { get }
  /// Returns the recovered value, or throws the error for the caller.
  func value(after error: any Error, forKey key: Key) async throws(Failure) -> Value
}

/// A recovery that does not suspend.
package protocol SyncRecovery<Key, Value>: Recovery {
  func value(after error: any Error, forKey key: Key) throws(Failure) -> Value
}

extension Recovery {
  /// Throws the error if only `retrieve` recovers from it.
  func throwUnlessRecoverable(_ error: any Error) throws {
    if case StorageError.notFound = error { return }
    if isForAbsence { throw error }
  }

  /// Throws an error that `retrieve` recovers from, if the value will be changed and written back.
  func throwBeforeChange(_ error: any Error) throws {
    if ReadingToChange.isActive { try throwUnlessRecoverable(error) }
  }
}

/// Whether this task retrieves a value in order to change it and write it back. A default in place of a value that
/// could not be read would then replace it.
package enum ReadingToChange {
  @TaskLocal package static var isActive = false
}

package struct AsyncClosureRecovery<Key: Sendable, Value: Sendable, Failure: Error>: Recovery {
  let recover: @Sendable (any Error) async throws(Failure) -> Value

  package var isForAbsence: Bool { false }
  package func value(after error: any Error, forKey key: Key) async throws(Failure) -> Value {
    try await recover(error)
  }
}

package struct ClosureRecovery<Key: Sendable, Value: Sendable, Failure: Error>: SyncRecovery {
  package var isForAbsence = false
  let recover: @Sendable (any Error, Key) throws(Failure) -> Value

  package func value(after error: any Error, forKey key: Key) throws(Failure) -> Value {
    try recover(error, key)
  }
}

extension Recovery {
  /// A recovery with a default value, which is created for each read.
  ///
  /// Reads that can throw return it only for an absent value. A combinator or an `update` could otherwise store it over
  /// an existing value that could not be read.
  static func defaulting<Key, Value>(
    _ make: @escaping @Sendable (Key) -> Value
  ) -> Self where Self == ClosureRecovery<Key, Value, Never> {
    ClosureRecovery(isForAbsence: true) { _, key in make(key) }
  }
}
