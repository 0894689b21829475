public import StrataCore

/// The part of a chain that all views of it share: everything but the type.
///
/// The kinds of stores below are forgotten here, except for the way to what is at hand in memory: that is captured where
/// they are still known, and so compiled for them. Through `any`, a hit would take five times as long.
@usableFromInline
final class Chain<Key: Hashable & Sendable>: Sendable {
  @usableFromInline typealias Peek = @Sendable (Key) -> Entry<TypeWrapper>?

  @usableFromInline let peek: Peek
  @usableFromInline let clock: StorageClock
  let tier: Tier
  let hub: StorageHub<Key>

  /// The tiers, with a note taken of every change.
  enum Tier {
    case sync(ObservedStorage<Key>)
    case async(AsyncObservedStorage<Key>)
  }

  @usableFromInline
  init(_ tier: any StorageAware<Key, TypeWrapper>, peek: @escaping Peek) {
    let hub = tier.hub ?? StorageHub()
    self.hub = hub
    self.peek = peek
    clock = tier.clock
    self.tier =
      if let tier = tier as? any SyncStorageAware<Key, TypeWrapper> {
        .sync(ObservedStorage(tier, observers: hub.observers))
      } else {
        .async(AsyncObservedStorage(tier, observers: hub.observers))
      }
  }

  /// What is in memory as this type and has not expired.
  @inlinable
  func live<Value: Sendable>(_ key: Key, as transformer: Transformer<Value>) -> Entry<Value>? {
    guard let entry = atHand(key, as: transformer), !entry.expiry.isExpired(by: clock) else { return nil }
    return entry
  }

  /// What is in memory as this type.
  @inlinable
  func atHand<Value: Sendable>(_ key: Key, as transformer: Transformer<Value>) -> Entry<Value>? {
    guard let entry = peek(key), let object = entry.object.objectAtHand(as: transformer) else { return nil }
    return Entry(object: object, expiry: entry.expiry, filePath: entry.filePath)
  }
}
