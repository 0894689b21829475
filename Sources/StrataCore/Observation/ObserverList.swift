public import Synchronization

/// The observers of a store, and the recorded changes that they have not received yet.
///
/// Changes are recorded during the turn of their operation, so they are in the order in which they took effect. They
/// are delivered after the turn, one at a time. A thread that delivers handles the changes of other threads too, which
/// continue meanwhile. Therefore an observer may use the store freely, is never called concurrently with itself, and
/// never receives an older change after a newer one. If the observers are slower than the writers, changes of one key
/// become one: see `ChangeQueue`.
@usableFromInline
package final class ObserverList<Key: Hashable & Sendable>: Sendable {
  /// A change of one key, before a view decodes the values.
  @usableFromInline
  package enum KeyEvent: Sendable {
    case edit(before: TypeWrapper?, after: TypeWrapper)
    case remove
  }

  @usableFromInline
  struct Event: Sendable {
    @usableFromInline let change: StorageChange<Key>
    @usableFromInline let keys: [Key: KeyEvent]
    /// The ID of the last observer that was registered before the event. Later observers do not receive it.
    @usableFromInline let lastID: Int

    @inlinable
    init(change: StorageChange<Key>, keys: [Key: KeyEvent], lastID: Int) {
      self.change = change
      self.keys = keys
      self.lastID = lastID
    }
  }

  /// The list that an observer belongs to.
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
    @usableFromInline var pending = ChangeQueue<Key>()
    @usableFromInline var isDelivering = false
    /// The changes in doubt by key, in the order in which they failed, and their number.
    var doubts: [Key: [Doubt]] = [:]
    var doubtCount = 0
    /// The number of observers added since the last sweep, and the number at which the next sweep runs.
    var added = 0
    var sweepLimit = 32

    @inlinable
    var isEmpty: Bool { storage.isEmpty && keys.isEmpty && streams.isEmpty }

    mutating func removeUsers(of observed: [Key]) -> [Observer<KeyEvent>] {
      observed.flatMap { key in
        let removed = keys[key]?.removeUsers() ?? []
        if keys[key]?.isEmpty == true { keys[key] = nil }
        return removed
      }
    }
  }

  @usableFromInline let state = Locked(State())
  /// Whether there are observers: without any, no operation takes the lock.
  @usableFromInline let isObserved = Atomic(false)
  /// Whether there are observers of keys: without any, a write takes no lock to find them.
  @usableFromInline let hasKeys = Atomic(false)
  /// Whether there are changes in doubt: without any, no read takes the lock.
  @usableFromInline let isDoubtful = Atomic(false)
  /// The number of removals of observers: if it has not changed since an event was taken, none of its observers has
  /// been removed.
  @usableFromInline let removals = Atomic(0)

  package init() {}

  deinit { state.withLock { $0.streams.values.forEach { $0.finish() } } }

  // MARK: Observing

  @usableFromInline
  package func addStorageObserver(
    isThere: @escaping @Sendable () -> Bool = { true }, isOwn: Bool = false,
    _ tell: @escaping @Sendable (StorageChange<Key>) -> Bool
  ) -> ObservationToken {
    add(.storage) { state, id in
      state.storage.add(Observer(id: id, tell: tell, isThere: isThere, isOwn: isOwn))
    }
  }

  @usableFromInline
  package func addObserver(
    forKey key: Key, isThere: @escaping @Sendable () -> Bool = { true }, isOwn: Bool = false,
    _ tell: @escaping @Sendable (KeyEvent) -> Bool
  ) -> ObservationToken {
    add(.key(key)) { state, id in
      state.keys[key, default: ObserverSet()].add(
        Observer(id: id, tell: tell, isThere: isThere, isOwn: isOwn))
    }
  }

  /// Returns the changes from now on as a stream. If its consumer is slow or has stopped reading, the oldest changes
  /// are dropped.
  package func changes(keeping limit: Int) -> AsyncStream<StorageChange<Key>> {
    let (stream, continuation) = AsyncStream<StorageChange<Key>>.makeStream(
      bufferingPolicy: .bufferingNewest(limit))
    let token = add(.stream) { state, id in state.streams[id] = continuation }
    continuation.onTermination = { _ in token.cancel() }
    return stream
  }

  /// Removes the observers of the store that users have added.
  package func removeStorageObservers() { remove { $0.storage.removeUsers() } }

  /// Removes the observers of a key that users have added.
  package func removeObservers(forKey key: Key) { remove { $0.removeUsers(of: [key]) } }

  /// Removes the observers of all keys that users have added.
  package func removeKeyObservers() { remove { $0.removeUsers(of: Array($0.keys.keys)) } }

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

  /// Removes observers whose objects have been released. It runs when as many were added as there had been, so its
  /// amortised cost per observer is constant.
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
    // Removed observers are released outside the lock: they may hold the last reference to a user's object.
    let removed = state.withLock { state in
      let removed = change(&state)
      removals.wrappingAdd(1, ordering: .sequentiallyConsistent)
      note(state)
      guard state.isEmpty else { return (removed, ChangeQueue<Key>(), [Key: [Doubt]]()) }
      defer { state.pending = ChangeQueue() }
      return (removed, state.pending, endDoubts(of: nil, &state))
    }
    withExtendedLifetime(removed) {}
  }

  private func note(_ state: borrowing State) {
    isObserved.store(!state.isEmpty, ordering: .sequentiallyConsistent)
    hasKeys.store(!state.keys.isEmpty, ordering: .sequentiallyConsistent)
  }

  // MARK: Recording

  /// Whether there are no observers.
  @inlinable
  package var isEmpty: Bool { !isObserved.load(ordering: .sequentiallyConsistent) }

  /// Returns whether the value of a key has observers.
  @inlinable
  package func isWatched(_ key: Key) -> Bool {
    hasKeys.load(ordering: .sequentiallyConsistent) && state.withLock { $0.keys[key] != nil }
  }

  /// Returns the keys whose values have observers.
  package func watched(_ keys: some Sequence<Key>) -> [Key] {
    state.withLock { state in state.keys.isEmpty ? [] : keys.filter { state.keys[$0] != nil } }
  }

  /// All keys whose values have observers.
  package var watchedKeys: [Key] { state.withLock { Array($0.keys.keys) } }

  /// Records a change that has taken effect.
  @inlinable
  package func record(_ change: StorageChange<Key>, keys: [Key: KeyEvent] = [:]) {
    if isEmpty { return }
    if hasDoubts { endDoubts(by: change, keys) }
    let replaced = state.withLock { state -> [Event] in
      if state.isEmpty { return [] }
      return state.pending.append(Event(change: change, keys: keys, lastID: state.lastID))
    }
    withExtendedLifetime(replaced) {}
  }

  // MARK: Delivering

  /// Delivers recorded changes to the observers, until there are none, or `limit` have been delivered. Returns whether
  /// another thread should deliver the rest. Must not be called in a turn; `StorageCoordinator.deliver` checks this.
  @inlinable
  package func deliver(atMost limit: Int = .max) -> Bool {
    var removals = removals.load(ordering: .sequentiallyConsistent)
    var next = state.withLock { state in
      if state.isDelivering { return nil as Delivery? }
      state.isDelivering = true
      return Self.next(of: &state)
    }
    var count = 0
    while let delivery = next {
      for observer in delivery.storage where !hasEnded(observer.id, .storage, since: removals) {
        if !observer.tell(delivery.change) { remove([observer.id], .storage) }
      }
      for (key, event, observers) in delivery.keys {
        for observer in observers where !hasEnded(observer.id, .key(key), since: removals) {
          if !observer.tell(event) { remove([observer.id], .key(key)) }
        }
      }
      for stream in delivery.streams { stream.yield(delivery.change) }
      count += 1
      if count == limit {
        return state.withLock { state in
          state.isDelivering = false
          return !state.pending.isEmpty
        }
      }
      removals = self.removals.load(ordering: .sequentiallyConsistent)
      next = state.withLock { Self.next(of: &$0) }
    }
    return false
  }

  /// Returns whether an observer has been removed, if any has since there was this number of removals: an observer that
  /// another one removes must not be called for the change that both were to receive.
  @inlinable
  func hasEnded(_ id: Int, _ place: Place, since removals: Int) -> Bool {
    self.removals.load(ordering: .sequentiallyConsistent) != removals && !isRegistered(id, place)
  }

  @usableFromInline
  func isRegistered(_ id: Int, _ place: Place) -> Bool {
    state.withLock { state in
      switch place {
      case .storage: state.storage.byID[id] != nil
      case .key(let key): state.keys[key]?.byID[id] != nil
      case .stream: state.streams[id] != nil
      }
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

  /// Returns the next event with its observers, or ends the delivery and returns `nil`.
  @inlinable
  static func next(of state: inout State) -> Delivery? {
    guard let event = state.pending.popFirst() else {
      state.isDelivering = false
      return nil
    }
    return Delivery(event, of: &state)
  }
}
