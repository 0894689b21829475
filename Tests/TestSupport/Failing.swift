package import StrataCore
import Testing

/// Returns the error that a store throws. Records an issue if it throws none, or another kind of error.
package func failure(_ body: () async throws -> Void) async -> StorageError? {
  do { try await body() } catch {
    if let error = error as? StorageError { return error }
    Issue.record("not a StorageError: \(error)")
    return nil
  }
  Issue.record("nothing was thrown")
  return nil
}
