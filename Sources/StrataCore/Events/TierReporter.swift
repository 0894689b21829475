/// Counts what one tier does, and tells it to listeners. Without listeners, only counters change.
@usableFromInline
package final class TierReporter<Key: Sendable>: AnyTierReporter {
  private struct State: Sendable {
    var lastID = 0
    var listeners: [Int: EventListener<Key>] = [:]
    var switches: [Int: @Sendable (Bool) -> Void] = [:]
  }

  @usableFromInline package let name: String
  @usableFromInline package let counts: TierCounts
  @usableFromInline package let tracers = StorageTracers()
  /// The reporter of the same tier for its own type of keys, which reports what the tier does by itself.
  private let own: (any AnyTierReporter)?
  private let state = Locked(State())
  @usableFromInline let list = ListenerList<Key>()
  /// Which operations are measured.
  @usableFromInline package let timing: Timing
  /// Whether the store counts its reads and writes itself. Without listeners there is nothing else to do.
  @usableFromInline package let countsItself: Bool
  /// Whether there are listeners.
  @inlinable
  package var isOn: Bool { !list.isEmpty }

  package init(_ name: String, timing: Timing, countsItself: Bool = false) {
    self.name = name
    self.timing = timing
    self.countsItself = countsItself
    counts = TierCounts(name: name)
    own = nil
  }

  /// Creates the reporter of a tier whose keys are mapped.
  init(mapping own: any AnyTierReporter) {
    name = own.name
    timing = own.timing
    countsItself = own.countsItself
    counts = own.counts
    self.own = own
  }

  /// Whether there is something to count or to tell.
  @inlinable
  var isActive: Bool { !countsItself || isOn }

  /// Whether the operation that begins is measured.
  @inlinable
  var isMeasured: Bool {
    switch timing {
    case .none: false
    case .all: true
    case .samples: counts.isSample || isOn
    }
  }

  // MARK: Listening

  @usableFromInline
  package func listen<Other: Sendable>(
    _ listener: @escaping @Sendable (StorageEvent<Other>) -> Void
  ) -> ObservationToken {
    // Cast once: it is of the same type if the keys are.
    let same = EventListener(listener) as? EventListener<Key>
    let token = add(same ?? EventListener { listener($0.withKey(as: Other.self)) })
    guard let ownToken = own?.listen(listener) else { return token }
    return ObservationToken {
      token.cancel()
      ownToken.cancel()
    }
  }

  private func add(_ listener: EventListener<Key>) -> ObservationToken {
    let id = change { state in
      state.lastID += 1
      state.listeners[state.lastID] = listener
      return state.lastID
    }
    return ObservationToken { [weak self] in
      // Released outside the lock, since it is a closure of the user.
      let removed = self?.change { $0.listeners.removeValue(forKey: id) }
      withExtendedLifetime(removed) {}
    }
  }

  /// Calls a closure with whether there are listeners, now and whenever it changes, until `removeSwitch`. It is called
  /// under a lock, and must not use the reporter.
  package func onSwitch(_ body: @escaping @Sendable (Bool) -> Void) -> Int {
    change { state in
      state.lastID += 1
      state.switches[state.lastID] = body
      body(!state.listeners.isEmpty)
      return state.lastID
    }
  }

  /// Ends the calls of a closure. None is running when this returns.
  package func removeSwitch(_ id: Int) {
    let removed = change { $0.switches.removeValue(forKey: id) }
    withExtendedLifetime(removed) {}
  }

  @discardableResult
  private func change<R: Sendable>(_ body: (inout State) -> R) -> R {
    let (result, released) = state.withLock { state in
      let wasOn = !state.listeners.isEmpty
      let result = body(&state)
      let isOn = !state.listeners.isEmpty
      let released = list.set(state.listeners.sorted { $0.key < $1.key }.map(\.value))
      if wasOn != isOn { for told in state.switches.values { told(isOn) } }
      return (result, released)
    }
    withExtendedLifetime(released) {}
    return result
  }

  // MARK: Reporting

  /// Counts what happened to the tier by itself, and tells the listeners.
  package func report(_ effect: TierEffect, _ key: Key?, count: Int = 1) {
    counts.count(effect, count)
    if isOn { send(effect, key, count, nil) }
  }

  /// Counts a failure, damage or a reconnection, and tells the listeners.
  package func report(_ kind: StorageEventKind, _ key: Key?, count: Int = 1, duration: Duration? = nil) {
    counts.count(kind)
    tell(kind, key, count: count, duration: duration)
  }

  /// Tells the listeners of an event, without counting it.
  package func tell(_ kind: StorageEventKind, _ key: Key?, count: Int = 1, duration: Duration? = nil) {
    if isOn { list.call(StorageEvent(.other(.init(kind, duration)), name, key, count)) }
  }

  /// Tells the listeners what happened to the tier, without counting it.
  @inlinable
  package func send(_ effect: TierEffect, _ key: Key?, _ count: Int = 1, _ duration: Duration? = nil) {
    list.call(StorageEvent(EventCause(effect, duration), name, key, count))
  }

  /// Counts a hit, and tells the listeners.
  @inlinable
  package func hit(_ key: Key) {
    if !countsItself { counts.hit() }
    if isOn { send(.hit, key) }
  }
}

/// Which operations of a tier are measured while there are no listeners.
@usableFromInline
package enum Timing: Sendable {
  case none
  /// One in 64.
  case samples
  case all
}

/// A `TierReporter` with any type of keys.
@usableFromInline
package protocol AnyTierReporter: AnyObject, Sendable {
  /// The name of the tier.
  var name: String { get }
  var counts: TierCounts { get }
  var timing: Timing { get }
  var countsItself: Bool { get }
  var tracers: StorageTracers { get }
  /// Calls a closure with each event from now on.
  func listen<Other: Sendable>(
    _ listener: @escaping @Sendable (StorageEvent<Other>) -> Void
  ) -> ObservationToken
}

/// A tier of a chain, with its reporter.
@usableFromInline
package struct StorageTier: Sendable {
  package let store: any StorageDesign
  package let reporter: any AnyTierReporter

  package init(store: any StorageDesign, reporter: any AnyTierReporter) {
    self.store = store
    self.reporter = reporter
  }
}
