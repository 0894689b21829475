// AsyncStorages' folders have file names for keys, which `usingStringKeys()` turns into strings. Strata's have strings
// from the start, whatever stands between the folder and the call.

extension ReadableStorage where Key == String {
  /// Returns this store: its keys are strings already.
  @inlinable
  public func usingStringKeys() -> Self { self }
}

extension WritableStorage where Key == String {
  /// Returns this store: its keys are strings already.
  @inlinable
  public func usingStringKeys() -> Self { self }
}

extension ReadableStorage where Self: WritableStorage, Key == String {
  /// Returns this store: its keys are strings already.
  @inlinable
  public func usingStringKeys() -> Self { self }
}
