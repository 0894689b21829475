extension StorageError {
  /// The error for what was written in a version of the format that is newer than all that are known.
  static func newer(_ version: UInt32, place: String) -> StorageError {
    .newerFormat.with(
      "it has version \(version) of the format, and this Strata reads up to \(EntryHeader.version); update Strata, or "
        + "remove the entry", place: place)
  }
}
