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

/// Returns whether a type of stores takes wrappers.
@usableFromInline
func takesWrappers(_ type: Any.Type) -> Bool { type is any WrapperTaking.Type }

/// A `WrapperTaking` store as the base of a `ByteTier`, looked up when the tier is made.
final class WrapperTaker<Key: Hashable & Sendable>: Sendable {
  let async: any WrapperTaking<Key>
  let sync: (any SyncWrapperTaking<Key>)?

  /// Returns `nil` for a store that takes whole batches of bytes.
  init?<Base: StorageAware>(_ base: Base) where Base.Key == Key {
    guard takesWrappers(Base.self), let async = base as? any WrapperTaking<Key> else { return nil }
    self.async = async
    sync = base as? any SyncWrapperTaking<Key>
  }
}

extension ByteTier {
  /// Stores many values if the base takes them one at a time. Returns whether it does.
  @usableFromInline
  func setWrapped(_ objects: [Key: TypeWrapper], expiry: Expiry?) async throws -> Bool {
    guard let taker else { return false }
    try await taker.async.setWrapped(objects, expiry: expiry)
    return true
  }
}

extension ByteTier where Base: SyncStorageAware {
  /// Stores many values if the base takes them one at a time. Returns whether it does.
  @usableFromInline
  func setWrapped(_ objects: [Key: TypeWrapper], expiry: Expiry?) throws -> Bool {
    guard let sync = taker?.sync else { return false }
    try sync.setWrapped(objects, expiry: expiry)
    return true
  }
}
