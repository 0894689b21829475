public import StrataCore

// In AsyncStorages, the keys of folders are file names, which `usingStringKeys()` converts into strings. In Strata they
// are always strings.

extension ReadableStorage where Key == String {
  /// Returns this store: its keys are already strings.
  @inlinable
  public func usingStringKeys() -> Self { self }
}

extension WritableStorage where Key == String {
  /// Returns this store: its keys are already strings.
  @inlinable
  public func usingStringKeys() -> Self { self }
}

extension ReadableStorage where Self: WritableStorage, Key == String {
  /// Returns this store: its keys are already strings.
  @inlinable
  public func usingStringKeys() -> Self { self }
}
