/// The functions of a tier that are called most, captured where its type is known and so compiled for it.
///
/// Called through `any`, a hit takes five times as long and a write ten.
@usableFromInline
package struct DirectTier<Key: Hashable & Sendable>: Sendable {
  @usableFromInline package let peek: @Sendable (Key) -> Entry<TypeWrapper>?
  @usableFromInline let read: @Sendable (Key) throws -> Entry<TypeWrapper>?
  @usableFromInline let write: @Sendable (TypeWrapper, Key, Expiry?) throws -> Void
  @usableFromInline let remove: @Sendable (Key) throws -> Void

  @inlinable
  package init(_ tier: some SyncStorageAware<Key, TypeWrapper>) {
    peek = { tier.peek(forKey: $0) }
    read = { try tier.entryIfPresent(forKey: $0) }
    write = { try tier.setObject($0, forKey: $1, expiry: $2) }
    remove = { try tier.removeObject(forKey: $0) }
  }
}
