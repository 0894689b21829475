public import Synchronization

/// The keys of one shard of an order that are in use, and a lock.
@usableFromInline
struct KeyShard<Key: Hashable & Sendable>: ~Copyable, Sendable {
  @usableFromInline let keys = Locked(KeysInUse<Key>())
  /// The value of `isIdle`. Written with the lock, and read without it.
  @usableFromInline let idle = Atomic(true)
  /// The value of `locked`. Written with the lock, and read without it.
  @usableFromInline let count = Atomic(0)

  @inlinable
  init() {}

  /// Whether no key is in use, and none waited for. Takes no lock.
  @inlinable
  var isIdle: Bool { idle.load(ordering: .acquiring) }

  /// How often the lock was taken.
  @inlinable
  var locked: Int { count.load(ordering: .acquiring) }

  @inlinable
  func withLock<R: Sendable>(_ body: (inout KeysInUse<Key>) -> R) -> R {
    keys.withLock { keys in
      let result = body(&keys)
      idle.store(keys.isIdle, ordering: .relaxed)
      count.store(count.load(ordering: .relaxed) &+ 1, ordering: .releasing)
      return result
    }
  }
}
