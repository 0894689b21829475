extension StorageError {
  /// A store was described in a way that cannot work, with a name that is no name for a folder, say.
  public static let invalidConfiguration = StorageError(
    .init("invalidConfiguration"), "the configuration cannot work")
  /// The file of an entry was written by a newer version of Strata. It stays where it is.
  public static let newerFormat = StorageError(
    .init("newerFormat"), "the file was written by a newer version of Strata")
}
