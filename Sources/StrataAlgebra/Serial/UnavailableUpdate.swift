public import StrataCore

extension ReadableStorage {
  /// Unavailable on this store: another write could happen between the read and the write.
  @available(
    *, unavailable,
    message:
      "another write could come in between: call `update` on the `serial()` of a store that can be read and written"
  )
  @discardableResult
  public func update(
    forKey key: Key, _ modify: (inout Value) async throws -> Void
  ) async throws -> Value {
    throw StorageError.deadlock
  }
}
