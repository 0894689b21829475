public import StrataCore

/// Something that a replaying store did.
public enum ReplayEvent<Key: Sendable>: Sendable {
  /// A write, or the removal of everything (`nil`), could not reach the store below, and waits.
  case deferred(Key?, any Error)
  /// A write, or the removal of everything (`nil`), that had waited reached the store.
  case replayed(Key?)
  /// A write that had waited was given up, since the store will never take it.
  case dropped(Key?, any Error)
}

/// A store whose writes wait for it while it fails, and are made in their order when it is back; `replaying(_:)` makes
/// one.
///
/// - A write that fails as a store does that is down counts as made: it waits, and reads of its key find it. Of a key
///   the newest write alone waits. While anything waits, all writes do, so that none overtakes another.
/// - What waits is tried again after a while, and when a read succeeds. If that many writes wait that no more may, the
///   next one throws the error of the store.
/// - What waits is in memory: it is lost with the process, and with this object. A write of another machine that comes
///   between is overwritten by the one that is replayed.
/// - A write under a lease does not wait, since the lease would not be looked at later.
///
/// A store that hangs is one that fails only with a `timeout(_:)` before it.
public final class ReplayingStorage<Base: StorageAware>: StorageAware {
  /// The keys of the store below.
  public typealias Key = Base.Key
  /// The values of the store below.
  public typealias Value = Base.Value
  typealias Queue = ReplayQueue<Key, Value>

  /// The store below.
  public let base: Base
  let queue: Locked<Queue>
  /// A write is tried, and waits if it failed, as one operation.
  let order = KeyOrder<Key>()
  let onEvent: @Sendable (ReplayEvent<Key>) -> Void
  let backoff: Backoff
  let sleeping: any Clock<Duration>
  /// What tries again after a while, if anything waits.
  let replayer = Locked(Task<Void, Never>?.none)

  init(
    _ base: Base, limit: Int, backoff: Backoff, clock: any Clock<Duration>,
    onEvent: @escaping @Sendable (ReplayEvent<Key>) -> Void
  ) {
    self.base = base
    queue = Locked(Queue(limit: limit))
    self.backoff = backoff
    sleeping = clock
    self.onEvent = onEvent
  }

  deinit { replayer.withLock { $0?.cancel() } }

  /// How many writes wait.
  public var waitingWrites: Int { queue.withLock { $0.count } }

  /// The store below.
  public var wrappedStorages: [any StorageDesign] { [base] }
  /// The clock of the store below.
  public var clock: StorageClock { base.clock }
  /// That of the store below.
  public var mayBlock: Bool { base.mayBlock }
  /// That of the store below.
  public var coordinator: StorageCoordinator<Key>? { base.coordinator }
  /// That of the store below.
  public var invalidationSource: InvalidationSource<Key>? { base.invalidationSource }
}

extension StorageAware {
  /// This store with writes that wait for it while it fails, and are made in order when it is back.
  ///
  /// ```swift
  /// let second = redis.timeout(.milliseconds(50)).breaker().replaying()
  /// let users = AsyncStorage(front: memory, back: second, transformer: .codable(User.self)).loading(policy, load)
  /// ```
  ///
  /// - Parameters:
  ///   - limit: how many keys' writes may wait.
  ///   - backoff: when what waits is tried again.
  ///   - clock: the clock on which retries wait.
  ///   - onEvent: called when a write begins to wait, was made later, or is given up.
  public func replaying(
    limit: Int = 10_000,
    backoff: Backoff = .exponential(from: .milliseconds(100), to: .seconds(5), jitter: 0.2),
    clock: any Clock<Duration> = ContinuousClock(),
    onEvent: @escaping @Sendable (ReplayEvent<Key>) -> Void = { _ in }
  ) -> ReplayingStorage<Self> {
    ReplayingStorage(self, limit: limit, backoff: backoff, clock: clock, onEvent: onEvent)
  }
}
