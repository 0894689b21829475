public import StrataAlgebra

/// A version check for concurrent reads: it detects that a newer read or a change has outdated a read's result.
///
/// Reads run concurrently without waiting. A slow read must not replace a newer value in the cache with an old one.
/// Therefore each read takes a number at its start, and at its end checks that no higher number has been recorded.
@usableFromInline
final class ReadRace<Key: Hashable & Sendable>: Sendable {
  /// A read of many keys in progress.
  struct Runner: Sendable {
    fileprivate let number: UInt64
    fileprivate let keys: Set<Key>
  }

  @usableFromInline
  struct Lane: Sendable {
    @usableFromInline var runners = 0
    /// The number of the last finished read or change.
    @usableFromInline var latest: UInt64 = 0

    @inlinable
    init() {}
  }

  @usableFromInline
  struct State: Sendable {
    @usableFromInline var lastNumber: UInt64 = 0
    /// The lanes of the keys with reads in progress. Usually there is one lane, which needs no allocation.
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

    /// Records a number for a key.
    @inlinable
    mutating func pass(_ key: Key, _ number: UInt64) {
      if first?.key == key { first?.lane.latest = number } else { others[key]?.latest = number }
    }

    /// Ends a read of a key. Returns whether its result is still current.
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

  /// Starts a read of one key. Returns its number.
  @inlinable
  func start(_ key: Key) -> UInt64 {
    state.withLock { state in
      state.enter(key)
      return state.nextNumber()
    }
  }

  /// Ends a read with a result. Calls `settle` if the result is current, under the lock: no other read ends and no
  /// change is recorded meanwhile.
  @inlinable
  func arrive(_ key: Key, _ number: UInt64, _ settle: () throws -> Void) throws {
    try state.withLock { if $0.arrive(key, number) { try settle() } }
  }

  /// Ends a failed read of one key.
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

  /// Ends a read with results. Calls `settle` for each key whose result is current.
  func arrive(_ runner: Runner, _ settle: (Key) throws -> Void) rethrows {
    try state.withLock { state in
      let current = runner.keys.filter { state.arrive($0, runner.number) }
      for key in current { try settle(key) }
    }
  }

  /// Ends a failed read.
  func giveUp(_ runner: Runner) {
    state.withLock { state in for key in runner.keys { state.leave(key) } }
  }

  /// Records a change of the store: the results of all reads that began before are outdated. No read ends before
  /// `settle` has returned.
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
