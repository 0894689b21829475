public import Synchronization

/// Who wants to know of changes to a store, and the changes they have not been told of.
///
/// Changes are recorded while their operation still has its turn, so they queue up in the order in which they came into
/// force; they are delivered when it has left it, one after the other. Whoever finds changes to deliver delivers
/// all that there are; another thread that comes by meanwhile goes on with its own work. So an observer may use
/// the store freely, never runs twice at the same time, and never sees an older change after a newer one.
@usableFromInline
package final class ObserverList<Key: Hashable & Sendable>: Sendable {
  /// What happened to one key, before a view decodes it.
  @usableFromInline
  package enum KeyEvent: Sendable {
    case edit(before: TypeWrapper?, after: TypeWrapper)
    case remove
  }

  private struct Event {
    let change: StorageChange<Key>
    let keys: [Key: KeyEvent]
    /// The last observer that had come before it: later ones do not hear of it.
    let lastID: Int
  }

  private struct Observer<Change> {
    let id: Int
    /// Returns whether the observer is still there.
    let tell: @Sendable (Change) -> Bool
  }

  private struct State {
    var lastID = 0
    var storage: [Observer<StorageChange<Key>>] = []
    var keys: [Key: [Observer<KeyEvent>]] = [:]
    var streams: [Int: AsyncStream<StorageChange<Key>>.Continuation] = [:]
    var pending = FIFO<Event>()
    var isDelivering = false

    var isEmpty: Bool { storage.isEmpty && keys.isEmpty && streams.isEmpty }
  }

  private let state = Locked(State())
  /// Spares a store that nobody observes the lock.
  @usableFromInline let isObserved = Atomic(false)

  package init() {}

  deinit { state.withLock { $0.streams.values.forEach { $0.finish() } } }

  // MARK: Observing

  package func addStorageObserver(
    _ tell: @escaping @Sendable (StorageChange<Key>) -> Bool
  ) -> ObservationToken {
    add { state, id in state.storage.append(Observer(id: id, tell: tell)) }
  }

  package func addObserver(
    forKey key: Key, _ tell: @escaping @Sendable (KeyEvent) -> Bool
  ) -> ObservationToken {
    add { state, id in state.keys[key, default: []].append(Observer(id: id, tell: tell)) }
  }

  /// The changes from now on. A reader that is slow, or gone without saying so, loses the oldest.
  package func changes(keeping limit: Int) -> AsyncStream<StorageChange<Key>> {
    let (stream, continuation) = AsyncStream<StorageChange<Key>>.makeStream(
      bufferingPolicy: .bufferingNewest(limit))
    let token = add { state, id in state.streams[id] = continuation }
    continuation.onTermination = { _ in token.cancel() }
    return stream
  }

  package func removeStorageObservers() { remove { $0.storage = [] } }
  package func removeObservers(forKey key: Key) { remove { $0.keys[key] = nil } }
  package func removeKeyObservers() { remove { $0.keys = [:] } }

  private func add(_ insert: @Sendable (inout State, Int) -> Void) -> ObservationToken {
    let id = state.withLock { state in
      state.lastID += 1
      insert(&state, state.lastID)
      isObserved.store(true, ordering: .sequentiallyConsistent)
      return state.lastID
    }
    return ObservationToken { [weak self] in self?.remove(id) }
  }

  private func remove(_ id: Int) {
    remove { state in
      state.storage.removeAll { $0.id == id }
      for key in state.keys.filter({ $0.value.contains { $0.id == id } }).keys {
        state.keys[key]?.removeAll { $0.id == id }
        if state.keys[key]?.isEmpty == true { state.keys[key] = nil }
      }
      state.streams[id] = nil
    }
  }

  private func remove(_ change: (inout State) -> Void) {
    // What is removed is released outside the lock: it may hold the last reference to a user's object.
    let removed = state.withLock { state in
      let before = state
      change(&state)
      if state.isEmpty { state.pending = FIFO() }
      isObserved.store(!state.isEmpty, ordering: .sequentiallyConsistent)
      return before
    }
    withExtendedLifetime(removed) {}
  }

  // MARK: Recording

  /// Whether anybody wants to know anything.
  @inlinable
  package var isEmpty: Bool { !isObserved.load(ordering: .sequentiallyConsistent) }

  /// Those of some keys whose values somebody watches.
  package func watched(_ keys: some Sequence<Key>) -> [Key] {
    state.withLock { state in state.keys.isEmpty ? [] : keys.filter { state.keys[$0] != nil } }
  }

  /// All keys whose values somebody watches.
  package var watchedKeys: [Key] { state.withLock { Array($0.keys.keys) } }

  /// Notes a change that has come into force.
  package func record(_ change: StorageChange<Key>, keys: [Key: KeyEvent] = [:]) {
    state.withLock { state in
      if state.isEmpty { return }
      state.pending.append(Event(change: change, keys: keys, lastID: state.lastID))
    }
  }

  // MARK: Delivering

  /// Tells the observers what was recorded. Does nothing inside a turn: whoever has it delivers when it ends.
  @inlinable
  package func deliver() {
    if !isEmpty { deliverPending() }
  }

  @usableFromInline
  func deliverPending() {
    if KeyOrder<Key>.isThreadInTurn { return }
    while let delivery = nextDelivery() {
      for observer in delivery.storage where !observer.tell(delivery.event.change) { remove(observer.id) }
      for (event, observers) in delivery.keys {
        for observer in observers where !observer.tell(event) { remove(observer.id) }
      }
      for stream in delivery.streams { stream.yield(delivery.event.change) }
      state.withLock { $0.isDelivering = false }
    }
  }

  private struct Delivery {
    let event: Event
    let storage: [Observer<StorageChange<Key>>]
    let keys: [(event: KeyEvent, observers: [Observer<KeyEvent>])]
    let streams: [AsyncStream<StorageChange<Key>>.Continuation]
  }

  private func nextDelivery() -> Delivery? {
    state.withLock { state in
      guard !state.isDelivering, let event = state.pending.popFirst() else { return nil }
      state.isDelivering = true
      return Delivery(
        event: event, storage: state.storage.filter { $0.id <= event.lastID },
        keys: event.keys.compactMap { key, happened in
          state.keys[key].map { (happened, $0.filter { $0.id <= event.lastID }) }
        },
        streams: state.streams.filter { $0.key <= event.lastID }.map(\.value))
    }
  }
}
