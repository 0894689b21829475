import StrataCore

extension StorageError {
  /// Returns the store's error for an error of its engine or server, with the key, the location and advice.
  package static func explaining(
    _ error: any Error, _ aim: String, key: (any Sendable)?, place: String,
    by explained: (any Error) -> StorageError
  ) -> StorageError {
    switch error {
    case let error as StorageError: return error.with(key: error.key ?? key, place: error.place ?? place)
    case let error as MissingPart: return error.failure.with(key: key, place: place)
    case is EngineRecord.Foreign:
      return .malformedFileAttributes.with(
        "cannot \(aim): the record was not written by Strata, and is left unchanged", key: key, place: place)
    case let error as LimitExceeded:
      return .tooLarge.with(
        "the entries would take \(error.size) bytes, and all together may take \(error.limit)", key: key,
        place: place)
    default:
      let failure = explained(error)
      return failure.with("cannot \(aim): \(failure.message)", key: key, place: failure.place ?? place)
    }
  }
}
