/// The most frequent operations of a tier, captured as closures that are compiled for its concrete type.
///
/// Through `any`, a hit takes five times as long and a write ten times.
@usableFromInline
package struct DirectTier<Key: Hashable & Sendable>: Sendable {
  @usableFromInline package let peek: @Sendable (Key) -> Hit?
  @usableFromInline let read: @Sendable (Key) throws -> Entry<TypeWrapper>?
  @usableFromInline let look: @Sendable (Key) -> CacheLookup<Entry<TypeWrapper>>
  @usableFromInline let write: @Sendable (TypeWrapper, Key, Expiry?) throws -> Void
  @usableFromInline let replace: @Sendable (TypeWrapper, Key, Expiry?) throws -> Void
  @usableFromInline let writeAtOnce: @Sendable (TypeWrapper, Key, Expiry?) throws -> Bool
  @usableFromInline let remove: @Sendable (Key) throws -> Void

  @inlinable
  package init(_ tier: some SyncStorageAware<Key, TypeWrapper>) {
    peek = { tier.peek(forKey: $0).map(Hit.init) }
    read = { try tier.entryIfPresent(forKey: $0) }
    look = { tier.cachedEntry(forKey: $0) }
    write = { try tier.setObject($0, forKey: $1, expiry: $2) }
    replace = { try tier.replaceObject($0, forKey: $1, expiry: $2) }
    writeAtOnce = { try tier.setObjectAtOnce($0, forKey: $1, expiry: $2) }
    remove = { try tier.removeObject(forKey: $0) }
  }

  /// Captures the operations of two tiers that only one chain uses. The chain calls them in the key's turn, and has
  /// read memory before it calls `read`. So they take no turn of the tiers' own order.
  @inlinable
  package init<Front: SyncStorageAware, Back: SyncStorageAware>(
    _ tiers: HybridStorage<Front, Back>
  ) where Front.Key == Key {
    peek = { tiers.peek(forKey: $0).map(Hit.init) }
    read = { try tiers.read($0, .inTurn) }
    look = { key in CacheLookup { try tiers.read(key, [.inTurn, .atOnce]) } }
    write = { _ = try tiers.change($1, .set($0, $2), .inTurn) }
    replace = { _ = try tiers.change($1, .replace($0, $2), .inTurn) }
    writeAtOnce = {
      do { return try tiers.change($1, .set($0, $2), [.inTurn, .atOnce]) } catch is WouldWait { return false }
    }
    remove = { _ = try tiers.change($0, .remove, .inTurn) }
  }
}

/// A cached entry that is small enough to be returned in registers, unlike an `Entry`.
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
