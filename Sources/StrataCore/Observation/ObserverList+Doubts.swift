public import Synchronization

/// Changes in doubt: they have failed, and no read has shown yet whether they took effect.
///
/// A tier in front may refuse a change that the last tier has made, and a server may make a change and fail to answer.
/// A read of the key shows which value is stored. If this read fails too, the change stays here until another
/// operation reads the key, or a newer change of the key takes effect.
///
/// A read ends the doubts about a key, with an exception: a tier in front that could not drop its entry hides what the
/// tiers behind have stored. A change that may be hidden stays here until a read shows it or it is superseded.
extension ObserverList {
  final class Doubt: Sendable {
    let event: Event
    /// The value that the change stores, or `nil` for a removal.
    let value: TypeWrapper?
    /// Whether an outdated entry may hide the change from reads.
    let mayBeHidden: Bool

    init(_ event: Event, _ value: TypeWrapper?, mayBeHidden: Bool) {
      self.event = event
      self.value = value
      self.mayBeHidden = mayBeHidden
    }

    /// Returns whether a read has found what the change stores. A value that cannot be encoded was not stored.
    func isShown(by found: TypeWrapper?) -> Bool {
      guard let value, let found else { return value == nil && found == nil }
      do { return try value === found || value.data() == found.data() } catch { return false }
    }
  }

  /// The number of changes that are kept. If there are more, the store could not be read for long, and all are
  /// forgotten.
  static var doubtLimit: Int { 256 }

  /// Whether there are changes in doubt.
  @inlinable
  package var hasDoubts: Bool { isDoubtful.load(ordering: .sequentiallyConsistent) }

  /// Returns whether changes of a key are in doubt.
  package func isInDoubt(_ key: Key) -> Bool { hasDoubts && state.withLock { $0.doubts[key] != nil } }

  /// Keeps a failed change of a key, in case it took effect.
  package func doubt(_ event: KeyEvent, of key: Key, mayBeHidden: Bool) {
    // What is forgotten is released outside the lock, here and below: its last reference may be to a user's object.
    let forgotten = state.withLock { state -> [Key: [Doubt]] in
      if state.keys[key] == nil, state.storage.isEmpty, state.streams.isEmpty { return [:] }
      var forgotten: [Key: [Doubt]] = [:]
      if state.doubtCount >= Self.doubtLimit { forgotten = endDoubts(of: nil, &state) }
      let (change, value): (StorageChange<Key>, TypeWrapper?) =
        switch event {
        case .edit(_, let after): (.add(key: key), after)
        case .remove: (.remove(key: key), nil)
        }
      let recorded = Event(change: change, keys: [key: event], lastID: state.lastID)
      keep([Doubt(recorded, value, mayBeHidden: mayBeHidden)], about: key, &state)
      return forgotten
    }
    withExtendedLifetime(forgotten) {}
  }

  private func keep(_ doubts: [Doubt], about key: Key, _ state: inout State) {
    if doubts.isEmpty { return }
    state.doubts[key, default: []] += doubts
    state.doubtCount += doubts.count
    isDoubtful.store(true, ordering: .sequentiallyConsistent)
  }

  /// Ends the doubts about a key of which a read has found this value. The last change that stored it took effect, and
  /// is recorded. Returns whether there is such a change; without one, changes that may be hidden stay in doubt.
  package func settle(_ key: Key, found: TypeWrapper?) -> Bool {
    guard let doubts = state.withLock({ $0.doubts[key] }) else { return false }
    let happened = doubts.last { $0.isShown(by: found) }
    let (ended, replaced) = state.withLock { state -> ([Key: [Doubt]], [Event]) in
      // Another read may have ended them meanwhile, or another change may have failed.
      guard state.doubts[key]?.last === doubts.last else { return ([:], []) }
      let ended = endDoubts(of: [key], &state)
      if let happened { return (ended, state.pending.append(happened.event)) }
      keep(doubts.filter(\.mayBeHidden), about: key, &state)
      return (ended, [])
    }
    withExtendedLifetime(replaced) {}
    return happened != nil && !ended.isEmpty
  }

  /// Ends the doubts about the keys of a change that has taken effect.
  @usableFromInline
  func endDoubts(by change: StorageChange<Key>, _ events: [Key: KeyEvent]) {
    let forgotten = state.withLock { state -> [Key: [Doubt]] in
      return switch change {
      case .add(let key), .remove(let key): endDoubts(of: [key], &state)
      case .removeAll: endDoubts(of: nil, &state)
      case .removeExpired: endDoubts(of: Array(events.keys), &state)
      case .removeInMemory: [:]
      }
    }
    withExtendedLifetime(forgotten) {}
  }

  /// Ends the doubts about keys, or about all keys. Returns them, for the caller to release outside the lock.
  func endDoubts(of keys: [Key]?, _ state: inout State) -> [Key: [Doubt]] {
    var ended = state.doubts
    if let keys {
      ended = [:]
      for key in keys { ended[key] = state.doubts.removeValue(forKey: key) }
    } else {
      state.doubts = [:]
    }
    state.doubtCount -= ended.values.reduce(0) { $0 + $1.count }
    isDoubtful.store(!state.doubts.isEmpty, ordering: .sequentiallyConsistent)
    return ended
  }
}
