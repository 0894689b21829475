/// A byte store that transforms the values of a batch, an encrypting one say. It takes their encoded bytes one value at a time, so a batch is never
/// in memory as encoded and as transformed bytes both.
package protocol WrapperTaking<Key>: StorageAware {
  /// Stores many values, as `setObjects` does.
  func setWrapped(_ objects: [Key: TypeWrapper], expiry: Expiry?) async throws
}

/// A `WrapperTaking` store that can be used without `await`.
package protocol SyncWrapperTaking<Key>: SyncStorageAware {
  /// Stores many values, as `setObjects` does.
  func setWrapped(_ objects: [Key: TypeWrapper], expiry: Expiry?) throws
}
