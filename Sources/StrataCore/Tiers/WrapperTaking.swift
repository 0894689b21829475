/// A byte store that transforms the values of a batch, for example by encryption. It takes their encoded bytes one
/// value at a time, so that memory never holds all encoded bytes and all transformed bytes together.
package protocol WrapperTaking<Key>: StorageAware {
  /// Stores many values, as `setObjects` does.
  func setWrapped(_ objects: [Key: TypeWrapper], expiry: Expiry?) async throws
}

/// A `WrapperTaking` store that can be used without `await`.
@usableFromInline
package protocol SyncWrapperTaking<Key>: SyncStorageAware {
  /// Stores many values, as `setObjects` does.
  func setWrapped(_ objects: [Key: TypeWrapper], expiry: Expiry?) throws
}
