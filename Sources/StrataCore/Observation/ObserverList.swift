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

  @usableFromInline
  struct Event: Sendable {
    @usableFromInline let change: StorageChange<Key>
    @usableFromInline let keys: [Key: KeyEvent]
    /// The last observer that had come before it: later ones do not hear of it.
    @usableFromInline let lastID: Int

    @inlinable
    init(change: StorageChange<Key>, keys: [Key: KeyEvent], lastID: Int) {
      self.change = change
      self.keys = keys
      self.lastID = lastID
    }
  }

  /// Where an observer is listed.
  @usableFromInline
  enum Place: Sendable {
    case storage
    case key(Key)
    case stream
  }

  @usableFromInline
  struct State: Sendable {
    @usableFromInline var lastID = 0
    @usableFromInline var storage = ObserverSet<StorageChange<Key>>()
    @usableFromInline var keys: [Key: ObserverSet<KeyEvent>] = [:]
    @usableFromInline var streams: [Int: AsyncStream<StorageChange<Key>>.Continuation] = [:]
    @usableFromInline var pending = FIFO<Event>()
    @usableFromInline var isDelivering = false
    /// How many observers were added since those that are gone were last looked for, and how many may be.
    var added = 0
    var sweepLimit = 32

    @inlinable
    var isEmpty: Bool { storage.isEmpty && keys.isEmpty && streams.isEmpty }
  }

  @usableFromInline let state = Locked(State())
  /// Spares a store that nobody observes the lock.
  @usableFromInline let isObserved = Atomic(false)
  /// Spares a store no key of which is observed the lock before a write.
  @usableFromInline let hasKeys = Atomic(false)

  package init() {}

  deinit { state.withLock { $0.streams.values.forEach { $0.finish() } } }

  // MARK: Observing

  package func addStorageObserver(
    isThere: @escaping @Sendable () -> Bool = { true },
    _ tell: @escaping @Sendable (StorageChange<Key>) -> Bool
  ) -> ObservationToken {
    add(.storage) { state, id in state.storage.add(Observer(id: id, tell: tell, isThere: isThere)) }
  }

  package func addObserver(
    forKey key: Key, isThere: @escaping @Sendable () -> Bool = { true },
    _ tell: @escaping @Sendable (KeyEvent) -> Bool
  ) -> ObservationToken {
    add(.key(key)) { state, id in
      state.keys[key, default: ObserverSet()].add(Observer(id: id, tell: tell, isThere: isThere))
    }
  }

  /// The changes from now on. A reader that is slow, or gone without saying so, loses the oldest.
  package func changes(keeping limit: Int) -> AsyncStream<StorageChange<Key>> {
    let (stream, continuation) = AsyncStream<StorageChange<Key>>.makeStream(
      bufferingPolicy: .bufferingNewest(limit))
    let token = add(.stream) { state, id in state.streams[id] = continuation }
    continuation.onTermination = { _ in token.cancel() }
    return stream
  }

  package func removeStorageObservers() {
    remove { state in
      defer { state.storage = ObserverSet() }
      return state.storage
    }
  }

  package func removeObservers(forKey key: Key) { remove { $0.keys.removeValue(forKey: key) } }

  package func removeKeyObservers() {
    remove { state in
      defer { state.keys = [:] }
      return state.keys
    }
  }

  private func add(_ place: Place, _ insert: @Sendable (inout State, Int) -> Void) -> ObservationToken {
    let (id, mustSweep) = state.withLock { state in
      state.lastID += 1
      insert(&state, state.lastID)
      state.added += 1
      note(state)
      return (state.lastID, state.added == state.sweepLimit)
    }
    if mustSweep { sweep() }
    return ObservationToken { [weak self] in self?.remove([id], place) }
  }

  /// Takes out observers that are gone. It is done when as many were added as there were, so that it costs each of them
  /// little.
  private func sweep() {
    let (storage, keys) = state.withLock { ($0.storage, $0.keys) }
    remove(storage.all.filter { !$0.isThere() }.map(\.id), .storage)
    for (key, observers) in keys { remove(observers.all.filter { !$0.isThere() }.map(\.id), .key(key)) }
    state.withLock { state in
      state.added = 0
      state.sweepLimit = max(32, state.storage.count + state.keys.values.reduce(0) { $0 + $1.count })
    }
  }

  @usableFromInline
  func remove(_ ids: [Int], _ place: Place) {
    if ids.isEmpty { return }
    remove { state -> any Sendable in
      switch place {
      case .storage: return ids.compactMap { state.storage.remove($0) }
      case .stream: return ids.compactMap { state.streams.removeValue(forKey: $0) }
      case .key(let key):
        let removed = ids.compactMap { state.keys[key]?.remove($0) }
        if state.keys[key]?.isEmpty == true { state.keys[key] = nil }
        return removed
      }
    }
  }

  private func remove<Removed: Sendable>(_ change: (inout State) -> Removed) {
    // What is removed is released outside the lock: it may hold the last reference to a user's object.
    let removed = state.withLock { state in
      let removed = change(&state)
      note(state)
      guard state.isEmpty else { return (removed, FIFO<Event>()) }
      defer { state.pending = FIFO() }
      return (removed, state.pending)
    }
    withExtendedLifetime(removed) {}
  }

  private func note(_ state: borrowing State) {
    isObserved.store(!state.isEmpty, ordering: .sequentiallyConsistent)
    hasKeys.store(!state.keys.isEmpty, ordering: .sequentiallyConsistent)
  }

  // MARK: Recording

  /// Whether anybody wants to know anything.
  @inlinable
  package var isEmpty: Bool { !isObserved.load(ordering: .sequentiallyConsistent) }

  /// Whether somebody watches the value under a key.
  @inlinable
  package func isWatched(_ key: Key) -> Bool {
    hasKeys.load(ordering: .sequentiallyConsistent) && state.withLock { $0.keys[key] != nil }
  }

  /// Those of some keys whose values somebody watches.
  package func watched(_ keys: some Sequence<Key>) -> [Key] {
    state.withLock { state in state.keys.isEmpty ? [] : keys.filter { state.keys[$0] != nil } }
  }

  /// All keys whose values somebody watches.
  package var watchedKeys: [Key] { state.withLock { Array($0.keys.keys) } }

  /// Notes a change that has come into force.
  @inlinable
  package func record(_ change: StorageChange<Key>, keys: [Key: KeyEvent] = [:]) {
    if isEmpty { return }
    state.withLock { state in
      if state.isEmpty { return }
      state.pending.append(Event(change: change, keys: keys, lastID: state.lastID))
    }
  }

  // MARK: Delivering

  /// Tells the observers what was recorded. Not for inside a turn: `StorageHub.deliver` sees to that.
  @inlinable
  package func deliver() {
    var next = state.withLock { state in
      if state.isDelivering { return nil as Delivery? }
      state.isDelivering = true
      return Self.next(of: &state)
    }
    while let delivery = next {
      for observer in delivery.storage where !observer.tell(delivery.change) {
        remove([observer.id], .storage)
      }
      for (key, event, observers) in delivery.keys {
        for observer in observers where !observer.tell(event) { remove([observer.id], .key(key)) }
      }
      for stream in delivery.streams { stream.yield(delivery.change) }
      next = state.withLock { Self.next(of: &$0) }
    }
  }

  @usableFromInline
  struct Delivery: Sendable {
    @usableFromInline let change: StorageChange<Key>
    @usableFromInline let storage: [Observer<StorageChange<Key>>]
    @usableFromInline let keys: [(key: Key, event: KeyEvent, observers: [Observer<KeyEvent>])]
    @usableFromInline let streams: [AsyncStream<StorageChange<Key>>.Continuation]

    @inlinable
    init(_ event: Event, of state: inout State) {
      change = event.change
      storage = state.storage.upTo(event.lastID)
      keys =
        event.keys.isEmpty
        ? []
        : event.keys.compactMap { key, happened in
          (state.keys[key]?.upTo(event.lastID)).map { (key, happened, $0) }
        }
      streams =
        state.streams.isEmpty ? [] : state.streams.filter { $0.key <= event.lastID }.map(\.value)
    }
  }

  /// The next event with those who are to hear of it; without one the delivery ends.
  @inlinable
  static func next(of state: inout State) -> Delivery? {
    guard let event = state.pending.popFirst() else {
      state.isDelivering = false
      return nil
    }
    return Delivery(event, of: &state)
  }
}
