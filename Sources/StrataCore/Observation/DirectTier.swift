/// The functions of a tier that are called most, captured where its type is known and so compiled for it.
///
/// Called through `any`, a hit takes five times as long and a write ten.
@usableFromInline
package struct DirectTier<Key: Hashable & Sendable>: Sendable {
  @usableFromInline package let peek: @Sendable (Key) -> Hit?
  @usableFromInline let read: @Sendable (Key) throws -> Entry<TypeWrapper>?
  @usableFromInline let look: @Sendable (Key) -> AtHand<Entry<TypeWrapper>>
  @usableFromInline let write: @Sendable (TypeWrapper, Key, Expiry?) throws -> Void
  @usableFromInline let writeAtOnce: @Sendable (TypeWrapper, Key, Expiry?) throws -> Bool
  @usableFromInline let remove: @Sendable (Key) throws -> Void

  @inlinable
  package init(_ tier: some SyncStorageAware<Key, TypeWrapper>) {
    self.init(tier) { try tier.entryIfPresent(forKey: $0) }
  }

  /// The functions of two tiers. The chain above has asked memory before it reads, so that a read need not do it again
  /// before it takes its turn.
  @inlinable
  package init<Front: SyncStorageAware, Back: SyncStorageAware>(
    _ tiers: HybridStorage<Front, Back>
  ) where Front.Key == Key {
    self.init(tiers) { try tiers.entryInTurn(forKey: $0) }
  }

  @inlinable
  init(
    _ tier: some SyncStorageAware<Key, TypeWrapper>,
    read: @escaping @Sendable (Key) throws -> Entry<TypeWrapper>?
  ) {
    self.read = read
    peek = { tier.peek(forKey: $0).map(Hit.init) }
    look = { tier.entryAtHand(forKey: $0) }
    write = { try tier.setObject($0, forKey: $1, expiry: $2) }
    writeAtOnce = { try tier.setObjectAtOnce($0, forKey: $1, expiry: $2) }
    remove = { try tier.removeObject(forKey: $0) }
  }
}

/// What is at hand in memory: small enough to be returned in registers, as an `Entry` is not.
@usableFromInline
package struct Hit: Sendable {
  @usableFromInline package let wrapper: TypeWrapper
  @usableFromInline package let expiry: Expiry

  @inlinable
  package init(_ entry: Entry<TypeWrapper>) {
    wrapper = entry.object
    expiry = entry.expiry
  }
}
