import Synchronization

/// Something that a store may have, looked up when it is first needed and then kept.
///
/// For capabilities of an inner store: a cast to a protocol with the store's key type takes microseconds.
struct LazilyFound<Value: Sendable>: ~Copyable, Sendable {
  private final class Found: Sendable {
    let value: Value?

    init(_ value: Value?) { self.value = value }
  }

  private let found = AtomicLazyReference<Found>()

  /// Returns the result of the first call of `look` that has ended.
  func value(_ look: () -> Value?) -> Value? { (found.load() ?? found.storeIfNil(Found(look()))).value }
}
