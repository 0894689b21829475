public import StrataCore

extension StorageError {
  /// A property was changed in place before its value was read, and another value than its default is stored. The
  /// stored value does not change.
  public static let notYetRead = StorageError(
    .init("notYetRead"),
    "the value was changed in place before it was read: change it by `update`, which waits, or once it is loaded"
  )
}
