public import StrataCore

/// A keyed store whose operations run one at a time, in the order in which they were called. Created by `serial()`.
///
/// ```swift
/// let counts = MemoryStorage(dictionary: ["visits": 0]).serial()
/// try await counts.update(forKey: "visits") { $0 += 1 }   // Concurrent updates run one after the other.
/// ```
///
/// Threads and tasks wait in the same queue, whatever their keys: a thread blocks, a task suspends. Over a store that
/// can be used without `await`, calls with `await` run on threads of their own, so that both may be mixed. The closure
/// of an actor's `update` runs on the actor, and then not in the turn: if other operations have changed values
/// meanwhile, it runs again with the new value.
///
/// - A task that is cancelled while it waits throws `CancellationError`, without affecting other waiters. An operation
///   that has started is finished.
/// - A call from inside `update` throws `StorageError.deadlock`. If the closure may suspend, this includes calls of the
///   tasks that it starts, until the update has ended. Use `Task.detached` for a task that is not waited for.
/// - Only `peek` does not wait: it returns the inner store's cached entry.
public struct SerialStorage<Base: StorageAware>: StorageAware {
  /// The type of the inner store's keys.
  public typealias Key = Base.Key
  /// The type of the inner store's values.
  public typealias Value = Base.Value

  @usableFromInline let base: Base
  @usableFromInline let line: SerialLine
  /// The queue of updates between whose turns other operations run. They would restart each other.
  let updates = SerialLine()
  /// The loads in flight, which all copies of this store share.
  let loads = SharedLoads<Key>()
  /// The inner store, if it updates values atomically for all of its writers: other processes, for example. `nil` for a
  /// memory, for whose writers the queue is enough.
  @usableFromInline let updating: (any UpdateableStorage<Key, Value>)?
  @usableFromInline let syncUpdating: (any SyncUpdateableStorage<Key, Value>)?

  @usableFromInline
  init(_ base: Base) {
    self.base = base
    line = SerialLine(over: base)
    let isShared = !base.traits.isMemory
    updating = isShared ? base as? any UpdateableStorage<Key, Value> : nil
    syncUpdating = isShared ? base as? any SyncUpdateableStorage<Key, Value> : nil
  }

  /// The name "serial".
  public var storageName: String { "serial" }
  /// The inner store.
  public var wrappedStorages: [any StorageDesign] { [base] }
  /// The clock of the inner store.
  @inlinable
  public var clock: StorageClock { base.clock }
  /// Always `true`: even if the inner store never blocks, a call may wait for its turn.
  public var mayBlock: Bool { true }
  /// Always `nil`: this store already orders its own operations.
  public var coordinator: StorageCoordinator<Key>? { nil }
  /// The invalidation source of the inner store.
  public var invalidationSource: InvalidationSource<Key>? { base.invalidationSource }

  /// Returns the inner store's cached entry without waiting for a turn.
  @inlinable
  public func peek(forKey key: Key) -> Entry<Value>? { base.peek(forKey: key) }
}

extension SerialStorage {
  /// With `await`, an operation may suspend.
  public var traits: StoreTraits { .suspending }
}

extension SerialStorage: ConditionalStorage {}

extension SerialStorage: SyncConditionalStorage where Base: SyncStorageAware {}
