extension StorageError {
  /// Returns the error for an entry in a newer version of the format than this library can read.
  static func newer(_ version: UInt32, known: UInt32 = EntryHeader.version, place: String) -> StorageError {
    .newerFormat.with(
      "it has version \(version) of the format, and this Strata reads up to \(known); update Strata, or "
        + "remove the entry", place: place)
  }
}
