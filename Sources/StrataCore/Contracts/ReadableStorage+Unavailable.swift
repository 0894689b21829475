// Names that dictionaries and other caches have. The compiler answers them with the name to write.

extension ReadableStorage {
  /// Unavailable: a store can fail, which a subscript hides.
  @available(
    *, unavailable,
    message: "a store can fail: write `try store.object(forKey:)` and `try store.setObject(_:forKey:)`"
  )
  public subscript(key: Key) -> Value? {
    get { preconditionFailure() }
    nonmutating set { preconditionFailure() }
  }

  /// Unavailable under this name.
  @available(*, unavailable, renamed: "object(forKey:)")
  public func get(_ key: Key) async throws -> Value { preconditionFailure() }

  /// Unavailable under this name.
  @available(*, unavailable, renamed: "object(forKey:)")
  public func value(forKey key: Key) async throws -> Value { preconditionFailure() }
}
