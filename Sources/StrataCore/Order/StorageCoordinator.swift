import Synchronization

/// The coordinator that every view of one store shares: per-key ordering and observers.
///
/// ```swift
/// struct Logged<Base: StorageAware>: StorageAware {
///   let base: Base
///   var coordinator: StorageCoordinator<Base.Key>? { base.coordinator }   // A combinator forwards it.
///   func read(_ key: Base.Key, _ how: How) async throws -> Entry<Base.Value>? {
///     print("read \(key)")
///     return try await base.read(key, how)
///   }
///   func change(_ key: Base.Key, _ change: StoreChange<Base.Value>, _ how: How) async throws -> Bool {
///     try await base.change(key, change, how)
///   }
///   func list(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Base.Key> {
///     try await base.list(after: cursor, limit: limit)
///   }
///   func clear(_ extent: StoreExtent) async throws { try await base.clear(extent) }
/// }
/// ```
///
/// `Storage`, `AsyncStorage` and `SyncStorage` use the coordinator of their inner store. Two of them over one store
/// therefore share one order, even if they were created independently. A coordinator belongs to one store, and
/// combinators forward it. Users need not touch it.
public final class StorageCoordinator<Key: Hashable & Sendable>: Sendable {
  @usableFromInline package let order: KeyOrder<Key>
  /// `order`, which operations do not retain: they would all write its reference count, in one cache line. It lives as
  /// long as this coordinator.
  @usableFromInline package let unretainedOrder: Unmanaged<KeyOrder<Key>>
  @usableFromInline package let observers = ObserverList<Key>()
  /// The ordering of updates by tasks, whose closures run on the callers' executors. Its turns are taken around turns
  /// of `order`, and only by tasks.
  package let updates = KeyOrder<Key>(shards: 1, tasksMayWait: false)
  /// The ordering of combinators that write back values which they have read. Its turns are taken inside turns of
  /// `order`, never around them.
  package let rewrites = KeyOrder<Key>(shards: 4, threadsMayWait: true)
  /// The in-flight loads of this store.
  package let loads = SharedLoads<Key>()
  /// The threads on which this store's operations block. Each store has its own pool, so that a disk that hangs does
  /// not delay other stores.
  package let pool = BlockingPool()
  /// Keeps the store alive, so that its identity is not reused while it finds this coordinator.
  private let owner: (any AnyObject & Sendable)?

  private let isHandedOver = Atomic(false)

  /// Returns whether a write of a key with this hash may do without its turn: no operation has or waits for it, and no
  /// observer receives the change. See `KeyOrder.isIdle` for the lock that the caller must hold. A thread inside a turn
  /// must not call this function: its write of the key may have to be refused.
  @inlinable
  package func isIdle(_ hash: Int) -> Bool {
    observers.isEmpty && unretainedOrder._withUnsafeGuaranteedRef { $0.isIdle(hash) }
  }

  /// Delivers recorded changes to the observers, outside of all turns of this thread.
  ///
  /// Inside a writing turn of this store it does nothing: the end of that turn delivers. Inside another turn of this
  /// thread or task, or while this thread runs jobs for others, a thread of the pool delivers, since an observer may
  /// wait for that turn, or for one of those jobs.
  ///
  /// - Parameter isInside: whether the caller's operation was handed over by a task that is part of another operation.
  @inlinable
  package func deliver(isInside: Bool = false) {
    if !observers.isEmpty { deliverRecorded(isInside: isInside) }
  }

  @inlinable
  func deliverRecorded(isInside: Bool) {
    if isInside || KeyOrder<Key>.isThreadInTurn || Relay.isRunning || OngoingOperation.isOngoing {
      return deliverElsewhere()
    }
    // No operation waits for the tasks that observers start. A writer delivers only so many changes of other threads:
    // with a slow observer, it would otherwise go on as long as they write.
    OngoingOperation.apart { if observers.deliver(atMost: 256) { deliverElsewhere() } }
  }

  /// Delivers recorded changes on a thread of the pool.
  @usableFromInline
  func deliverElsewhere() {
    if order.isThreadChanging || isHandedOver.exchange(true, ordering: .sequentiallyConsistent) { return }
    pool.submit { [self] in
      isHandedOver.store(false, ordering: .sequentiallyConsistent)
      _ = observers.deliver()
    }
  }

  /// Creates a coordinator that belongs to no object.
  package convenience init() { self.init(owner: nil) }

  private init(owner: (any AnyObject & Sendable)?) {
    self.owner = owner
    order = KeyOrder(shards: 32)
    unretainedOrder = .passUnretained(order)
  }

  /// Returns the coordinator of an object: always the same one while it is in use.
  static func of(_ object: some AnyObject & Sendable) -> StorageCoordinator {
    CoordinatorRegistry.shared.coordinator(of: object) { StorageCoordinator(owner: object) }
  }
}

/// The coordinators in use, by the identity of their owner. It holds them weakly.
private final class CoordinatorRegistry: Sendable {
  private struct Weak: Sendable { weak let coordinator: (any AnyObject & Sendable)? }

  static let shared = CoordinatorRegistry()
  private let coordinators = Locked<[ObjectIdentifier: Weak]>([:])

  func coordinator<Coordinator: AnyObject & Sendable>(
    of object: some AnyObject & Sendable, make: () -> Coordinator
  ) -> Coordinator {
    coordinators.withLock { coordinators in
      let identity = ObjectIdentifier(object)
      if let known = coordinators[identity]?.coordinator as? Coordinator { return known }
      if coordinators.count == coordinators.capacity {
        coordinators = coordinators.filter { $0.value.coordinator != nil }
      }
      let new = make()
      coordinators[identity] = Weak(coordinator: new)
      return new
    }
  }
}
