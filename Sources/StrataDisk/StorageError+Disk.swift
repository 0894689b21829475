extension SystemError {
  /// Returns the error of a store that could not do something because of this failure.
  ///
  /// - Parameter next: What happens next, for a failure that is only reported.
  func explained(_ aim: String, key: (any Sendable)? = nil, next: String? = nil) -> StorageError {
    let end = next.map { "; \($0)" } ?? ""
    return .backendFailed.with("cannot \(aim): \(reason)\(end)", key: key, place: path, cause: self)
  }
}

extension StorageError {
  /// Returns the error for an entry in a newer version of the format than this library can read.
  static func newer(_ version: UInt32, known: UInt32 = EntryHeader.version, place: String) -> StorageError {
    .newerFormat.with(
      "it has version \(version) of the format, and this Strata reads up to \(known); update Strata, or "
        + "remove the entry", place: place)
  }
}
