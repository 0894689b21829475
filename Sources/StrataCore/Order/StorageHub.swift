import Synchronization

/// Where all that stand over one store meet: they share the order of operations and the observers.
///
/// `Storage`, `AsyncStorage` and `SyncStorage` look for the hub of the store below them, so that two of them over one
/// store keep one order although they were built apart. A store is its own hub's owner; links pass it on. Users
/// have no need to touch it.
public final class StorageHub<Key: Hashable & Sendable>: Sendable {
  @usableFromInline package let order = KeyOrder<Key>(shards: 32)
  @usableFromInline package let observers = ObserverList<Key>()
  /// The order of updates by tasks whose closures run where the callers are. It is taken around turns of `order`, and
  /// only by tasks.
  package let updates = KeyOrder<Key>(shards: 1, tasksMayWait: false)
  /// The order of those links that store again what they have read. It is taken inside a turn of `order`, never around
  /// one.
  package let rewrites = KeyOrder<Key>(shards: 4)
  /// The loads of this store that are in flight.
  package let loads = SharedLoads<Key>()
  /// Where operations of this store block: apart from those of others, which may stand on a disk that is not stuck.
  package let pool = BlockingPool()
  /// Keeps the identity of the store from being used again while this hub is found by it.
  private let owner: (any AnyObject & Sendable)?

  private let isHandedOver = Atomic(false)

  /// Tells the observers what was recorded, when no turn of this thread is held up by what they do.
  ///
  /// Inside a turn of this store nothing is done: it delivers when it ends. Inside a turn of others a thread of the
  /// pool delivers.
  @inlinable
  package func deliver() {
    if !observers.isEmpty { deliverRecorded() }
  }

  @usableFromInline
  func deliverRecorded() {
    if !KeyOrder<Key>.isThreadInTurn {
      // Nobody waits for the tasks that observers start.
      return OngoingOperation.apart(observers.deliver)
    }
    if order.isThreadChanging || isHandedOver.exchange(true, ordering: .sequentiallyConsistent) { return }
    pool.submit { [self] in
      isHandedOver.store(false, ordering: .sequentiallyConsistent)
      observers.deliver()
    }
  }

  /// A hub that belongs to no object.
  package init() { owner = nil }

  private init(owner: any AnyObject & Sendable) { self.owner = owner }

  /// The hub of an object: always the same one while anybody holds it.
  static func of(_ object: some AnyObject & Sendable) -> StorageHub {
    HubRegistry.shared.hub(of: object) { StorageHub(owner: object) }
  }
}

/// The hubs in use, by the object that each belongs to; it keeps none of them alive.
private final class HubRegistry: Sendable {
  private struct Weak: Sendable { weak let hub: (any AnyObject & Sendable)? }

  static let shared = HubRegistry()
  private let hubs = Locked<[ObjectIdentifier: Weak]>([:])

  func hub<Hub: AnyObject & Sendable>(of object: some AnyObject & Sendable, make: () -> Hub) -> Hub {
    hubs.withLock { hubs in
      let identity = ObjectIdentifier(object)
      if let known = hubs[identity]?.hub as? Hub { return known }
      if hubs.count == hubs.capacity { hubs = hubs.filter { $0.value.hub != nil } }
      let new = make()
      hubs[identity] = Weak(hub: new)
      return new
    }
  }
}
