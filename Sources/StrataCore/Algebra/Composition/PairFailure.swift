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
