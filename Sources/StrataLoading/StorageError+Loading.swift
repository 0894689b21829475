public import StrataCore

extension StorageError {
  /// A load exceeded the time limit of its callers.
  public static let timedOut = StorageError(.init("timedOut"), "the load took longer than its callers wait")
  /// A loader's answer does not fit its request.
  public static let invalidAnswer = StorageError(
    .init("invalidAnswer"), "the loader returned that the value is not modified, but no value is stored")
}
