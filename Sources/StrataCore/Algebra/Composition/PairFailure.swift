/// A part of a pair.
enum PairPart: String {
  case first, second

  var other: PairPart { self == .first ? .second : .first }
}

/// Returns the error to throw when one part of a pair stays written without the other.
func halfWritten(
  _ part: PairPart, _ key: (any Sendable)?, _ cause: any Error, _ why: String? = nil
) -> StorageError {
  let why = why ?? "and the \(part) store cannot undo its write"
  return StorageError.backendFailed.with(
    "only the \(part) part of a pair was written: the \(part.other) store failed, \(why)", key: key,
    cause: cause)
}

/// Returns the error to throw when both stores of a pair failed.
func doubleFault(_ error: any Error, _ second: any Error) -> any Error {
  if error is CancellationError, second is CancellationError { return error }
  return StorageError.backendFailed.with(
    "both parts of a pair failed, the second with: \(second)", cause: error)
}

/// How a previous entry of a part is restored.
enum Restore {
  /// With the expiry of the entry.
  case setting
  /// With the expiry of each tier, which a refused update has not changed.
  case replacing
}

extension ZippedStorage {
  /// Returns the error to throw after a failed write of a pair, and after both stores were restored.
  ///
  /// If the store that had made its write could not be restored, the error says so. A store that has refused its write
  /// often refuses this too: nothing is said about it.
  func failure(
    _ written: (Result<Void, any Error>, Result<Void, any Error>?),
    _ restored: (Result<Void, any Error>, Result<Void, any Error>), _ keys: [Key]
  ) -> any Error {
    func half(_ part: PairPart, _ error: any Error, _ restored: Result<Void, any Error>) -> any Error {
      guard case .failure(let second) = restored else { return error }
      return halfWritten(
        part, keys.count == 1 ? keys.first : nil, error,
        "and the \(part) store's previous entry could not be restored: \(second)")
    }
    switch written {
    case (.failure(let error), .failure(let second)?): return doubleFault(error, second)
    case (.failure(let error), .success?): return half(.second, error, restored.1)
    case (.failure(let error), nil): return error
    case (.success, .failure(let error)?): return half(.first, error, restored.0)
    case (.success, _): preconditionFailure("both parts were written")
    }
  }
}
