import StrataCore

extension Result {
  /// The error, or `nil` after a success.
  var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}

/// Returns the error to throw after changes of both stores of a pair, given their errors; `nil` if neither failed.
func pairFailure(_ one: (any Error)?, _ two: (any Error)?) -> (any Error)? {
  guard let one, let two, !(one is CancellationError && two is CancellationError) else { return one ?? two }
  return StorageError.backendFailed.with("both parts of a pair failed, the second with: \(two)", cause: one)
}

/// Returns the error to throw when one part of a pair stays written without the other, whose error is `cause`.
func halfWritten(
  isFirst: Bool, _ key: (any Sendable)?, _ cause: any Error, _ why: (_ part: String) -> String
) -> StorageError {
  let (part, other) = isFirst ? ("first", "second") : ("second", "first")
  return StorageError.backendFailed.with(
    "only the \(part) part of a pair was written: the \(other) store failed, and the \(why(part))", key: key,
    cause: cause)
}

extension ZippedStorage {
  /// Returns the error to throw after a failed write of a pair, and after both stores were restored.
  ///
  /// If the store that had made its write could not be restored, the error says so. A store that has refused its write
  /// often refuses this too: nothing is said about it.
  func failure(
    _ error: any Error, _ parts: ((any Error)?, (any Error)?), _ unrestored: ((any Error)?, (any Error)?),
    _ keys: [Key]
  ) -> any Error {
    let isFirst = parts.0 == nil
    guard isFirst || parts.1 == nil, let lost = isFirst ? unrestored.0 : unrestored.1 else { return error }
    return halfWritten(isFirst: isFirst, keys.count == 1 ? keys.first : nil, error) { part in
      "\(part) store's previous entry could not be restored: \(lost)"
    }
  }
}
