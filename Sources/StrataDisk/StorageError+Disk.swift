extension StorageError {
  /// The file of an entry was written by a newer version of Strata. It stays where it is.
  public static let newerFormat = StorageError(
    .init("newerFormat"), "the file was written by a newer version of Strata")
}
