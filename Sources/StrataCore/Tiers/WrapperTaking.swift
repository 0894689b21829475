/// A byte store that makes something else of each value of a batch: it takes the bytes of one value after the other, and nobody holds all of
/// them beside what becomes of them.
package protocol WrapperTaking<Key>: StorageAware {
  /// Stores many values, as `setObjects` does.
  func setWrapped(_ objects: [Key: TypeWrapper], expiry: Expiry?) async throws
}

/// A `WrapperTaking` store that can be used without `await`.
package protocol SyncWrapperTaking<Key>: SyncStorageAware {
  /// Stores many values, as `setObjects` does.
  func setWrapped(_ objects: [Key: TypeWrapper], expiry: Expiry?) throws
}
