public import StrataCore

extension ReadableStorage {
  /// Unavailable on this store: another write could happen between the read and the write.
  @available(
    *, unavailable,
    message:
      "another write could come in between, and this store has no atomic `update`: take a store that has one, such as a disk, SQLite, Redis or PostgreSQL, or a chain over it. If all writers are in this process, `serial()` of a store that can be read and written adds `update`"
  )
  @discardableResult
  public func update(
    forKey key: Key, _ modify: (inout Value) async throws -> Void
  ) async throws -> Value {
    throw StorageError.deadlock
  }
}
