/// Tells which reads of a store may still say what is in it: those that no later read and no change has overtaken.
///
/// Reads run side by side and wait for nothing. A slow one must not bring an old value to the cache after a newer one
/// has come, so each takes a number at its start and looks at its end whether its number is still the highest.
@usableFromInline
final class ReadRace<Key: Hashable & Sendable>: Sendable {
  /// A read of many keys on its way.
  struct Runner: Sendable {
    fileprivate let number: UInt64
    fileprivate let keys: Set<Key>
  }

  @usableFromInline
  struct Lane: Sendable {
    @usableFromInline var runners = 0
    /// The number of the last read that arrived or change that was made.
    @usableFromInline var latest: UInt64 = 0

    @inlinable
    init() {}
  }

  @usableFromInline
  struct State: Sendable {
    @usableFromInline var lastNumber: UInt64 = 0
    /// Only keys that are being read now have a lane. One at a time is the rule: its lane costs no allocation.
    @usableFromInline var first: (key: Key, lane: Lane)?
    @usableFromInline var others: [Key: Lane] = [:]

    init() {}

    @inlinable
    mutating func nextNumber() -> UInt64 {
      lastNumber += 1
      return lastNumber
    }

    @inlinable
    mutating func enter(_ key: Key) {
      if first?.key == key {
        first?.lane.runners += 1
      } else if first == nil, others.isEmpty {
        first = (key, Lane())
        first?.lane.runners = 1
      } else {
        others[key, default: Lane()].runners += 1
      }
    }

    @inlinable
    mutating func leave(_ key: Key) {
      if first?.key == key {
        first?.lane.runners -= 1
        if first?.lane.runners == 0 { first = nil }
      } else {
        others[key]?.runners -= 1
        if others[key]?.runners == 0 { others[key] = nil }
      }
    }

    /// Notes a change of a key.
    @inlinable
    mutating func pass(_ key: Key, _ number: UInt64) {
      if first?.key == key { first?.lane.latest = number } else { others[key]?.latest = number }
    }

    /// Ends a read of a key; returns whether nothing has overtaken it.
    @inlinable
    mutating func arrive(_ key: Key, _ number: UInt64) -> Bool {
      defer { leave(key) }
      guard let latest = first?.key == key ? first?.lane.latest : others[key]?.latest, latest < number else {
        return false
      }
      pass(key, number)
      return true
    }
  }

  @usableFromInline let state = Locked(State())

  init() {}

  /// Starts a read of one key; returns its number.
  @inlinable
  func start(_ key: Key) -> UInt64 {
    state.withLock { state in
      state.enter(key)
      return state.nextNumber()
    }
  }

  /// Ends a read that learnt something; calls `settle` unless something has overtaken it. No other read arrives and no
  /// change is announced meanwhile.
  @inlinable
  func arrive(_ key: Key, _ number: UInt64, _ settle: () throws -> Void) throws {
    try state.withLock { if $0.arrive(key, number) { try settle() } }
  }

  /// Ends a read of one key that failed.
  @usableFromInline
  func giveUp(_ key: Key) { state.withLock { $0.leave(key) } }

  /// Starts a read of many keys.
  func start(_ keys: some Sequence<Key>) -> Runner {
    let keys = Set(keys)
    return state.withLock { state in
      for key in keys { state.enter(key) }
      return Runner(number: state.nextNumber(), keys: keys)
    }
  }

  /// Ends a read that learnt something; calls `settle` for each key on which nothing has overtaken it.
  func arrive(_ runner: Runner, _ settle: (Key) throws -> Void) rethrows {
    try state.withLock { state in
      let current = runner.keys.filter { state.arrive($0, runner.number) }
      for key in current { try settle(key) }
    }
  }

  /// Ends a read that failed.
  func giveUp(_ runner: Runner) {
    state.withLock { state in for key in runner.keys { state.leave(key) } }
  }

  /// Announces that the store has changed: all reads that started before are behind. No read arrives before `settle`
  /// has ended.
  func overtake(_ scope: TurnScope<Key>, _ settle: () throws -> Void) rethrows {
    try state.withLock { state in
      let number = state.nextNumber()
      switch scope {
      case .key(let key): state.pass(key, number)
      case .keys(let keys): for key in keys { state.pass(key, number) }
      case .everything:
        state.first?.lane.latest = number
        for key in state.others.keys { state.others[key]?.latest = number }
      }
      try settle()
    }
  }
}
