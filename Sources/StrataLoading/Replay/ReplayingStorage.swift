public import StrataCore
import Synchronization

/// An event of a replaying store.
///
/// ```swift
/// let users = storage.replaying(onEvent: { event in
///   if case .dropped(let key, let error) = event { print("lost a write of \(key ?? "everything"): \(error)") }
/// })
/// ```
public enum ReplayEvent<Key: Sendable>: Sendable {
  /// A write, or the removal of everything (`nil`), failed and is pending.
  case deferred(Key?, any Error)
  /// A pending write, or the removal of everything (`nil`), was executed.
  case replayed(Key?)
  /// A pending write was dropped, since the store will never accept it.
  case dropped(Key?, any Error)
}

/// A store whose failed writes are kept and repeated in order when the store is available again. `replaying(_:)`
/// returns one.
///
/// ```swift
/// let users = storage.timeout(.milliseconds(50)).replaying(limit: 1000)
/// try await users.setObject(ada, forKey: "ada")   // Succeeds even while the store is down.
/// print(users.waitingWrites)
/// ```
///
/// - A write that fails because the store is down counts as done: it is pending, and reads of its key return it. Only
///   the newest write of each key is kept. While any write is pending, all new ones are queued, so that none overtakes
///   another.
/// - Pending writes are retried after a pause, and when a read succeeds. When the limit is reached, the next write
///   throws the error of the store.
/// - Pending writes are in memory: they are lost with the process, and with this object. A replayed write overwrites a
///   write that another machine made meanwhile, unless it was made by `setIfAbsent`, as a loading store does after a
///   failed read.
/// - A write under a lease is never queued, since the lease could not be checked later.
///
/// A store that hangs instead of failing needs a `timeout(_:)` in front of this one.
public final class ReplayingStorage<Base: StorageAware>: StorageAware {
  /// The type of the inner store's keys.
  public typealias Key = Base.Key
  /// The type of the inner store's values.
  public typealias Value = Base.Value
  typealias Queue = ReplayQueue<Key, Value>

  /// The inner store.
  public let base: Base
  let queue: Locked<Queue>
  /// The expiry that a pending write without one will get.
  let ownExpiry: Expiry
  /// Orders attempts and queueing: both happen in one turn.
  let order = KeyOrder<Key>()
  let onEvent: @Sendable (ReplayEvent<Key>) -> Void
  let backoff: Backoff
  let sleeping: any Clock<Duration>
  /// The retry task, if anything is pending.
  let replayer = Locked(Task<Void, Never>?.none)
  /// Whether a successful read has started a replay that is not over.
  let isReplaying = Atomic(false)

  init(
    _ base: Base, limit: Int, backoff: Backoff, clock: any Clock<Duration>,
    onEvent: @escaping @Sendable (ReplayEvent<Key>) -> Void
  ) {
    self.base = base
    ownExpiry = base.earliestOwnExpiry
    queue = Locked(Queue(limit: limit))
    self.backoff = backoff
    sleeping = clock
    self.onEvent = onEvent
  }

  deinit { replayer.withLock { $0?.cancel() } }

  /// The number of pending writes.
  public var waitingWrites: Int { queue.withLock { $0.count } }

  /// The inner store.
  public var wrappedStorages: [any StorageDesign] { [base] }
  /// The clock of the inner store.
  public var clock: StorageClock { base.clock }
  /// Whether the inner store may block.
  public var mayBlock: Bool { base.mayBlock }
  /// The coordinator of the inner store.
  public var coordinator: StorageCoordinator<Key>? { base.coordinator }
  /// The invalidation source of the inner store.
  public var invalidationSource: InvalidationSource<Key>? { base.invalidationSource }
}

extension StorageAware {
  /// Returns this store with failed writes kept in memory, and repeated in order when the store is available again.
  ///
  /// ```swift
  /// let second = redis.timeout(.milliseconds(50)).breaker().replaying()
  /// let users = AsyncStorage(front: memory, back: second, transformer: .codable(User.self)).loading(policy, load)
  /// ```
  ///
  /// - Parameters:
  ///   - limit: the maximum number of pending writes.
  ///   - backoff: the pauses between retries.
  ///   - clock: the clock on which retries wait.
  ///   - onEvent: called when a write is queued, executed later, or dropped.
  public func replaying(
    limit: Int = 10_000,
    backoff: Backoff = .exponential(from: .milliseconds(100), to: .seconds(5), jitter: 0.2),
    clock: any Clock<Duration> = ContinuousClock(),
    onEvent: @escaping @Sendable (ReplayEvent<Key>) -> Void = { _ in }
  ) -> ReplayingStorage<Self> {
    ReplayingStorage(self, limit: limit, backoff: backoff, clock: clock, onEvent: onEvent)
  }
}
