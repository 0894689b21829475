public import StrataAlgebra

/// A version check for concurrent reads: it detects that a newer read or a change has outdated a read's result.
///
/// Reads run concurrently without waiting. A slow read must not replace a newer value in the cache with an old one.
/// Therefore each read takes a number at its start, and at its end checks that no higher number has been recorded.
@usableFromInline
final class ReadRace<Key: Hashable & Sendable>: Sendable {
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
    /// The lanes of the keys with reads in progress. Usually there is one lane, which needs no hash.
    @usableFromInline var first: (key: Key, lane: Lane)?
    @usableFromInline var others: [Key: Lane] = [:]

    init() {}

    @inlinable
    mutating func nextNumber() -> UInt64 {
      lastNumber += 1
      return lastNumber
    }

    /// Records a change of a key.
    mutating func pass(_ key: Key, _ number: UInt64) {
      if first?.key == key { first?.lane.latest = number } else { others[key]?.latest = number }
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

    /// Ends a read of a key. Returns whether its result, if it has one, is current.
    @inlinable
    @discardableResult
    mutating func leave(_ key: Key, _ number: UInt64 = 0) -> Bool {
      guard first?.key == key else { return Self.end(&others[key], number) }
      var lane = first?.lane
      defer { first = lane.map { (key, $0) } }
      return Self.end(&lane, number)
    }

    @inlinable
    static func end(_ lane: inout Lane?, _ number: UInt64) -> Bool {
      guard let latest = lane?.latest else { return false }
      lane?.runners -= 1
      if lane?.runners == 0 { lane = nil } else if latest < number { lane?.latest = number }
      return latest < number
    }
  }

  @usableFromInline let state = Locked(State())

  init() {}

  /// Starts a read. Returns its number.
  @inlinable
  func start(_ keys: some Sequence<Key>) -> UInt64 {
    state.withLock { state in
      for key in keys { state.enter(key) }
      return state.nextNumber()
    }
  }

  /// Ends a read with results. Calls `settle` for each key whose result is current, under the lock: no other read ends
  /// and no change is recorded meanwhile.
  @inlinable
  func arrive(_ keys: some Sequence<Key>, _ number: UInt64, _ settle: (Key) throws -> Void) throws {
    try state.withLock { state in
      var failure: (any Error)?
      for key in keys where state.leave(key, number) && failure == nil {
        do { try settle(key) } catch { failure = error }
      }
      if let failure { throw failure }
    }
  }

  /// Ends a failed read.
  func giveUp(_ keys: some Sequence<Key>) { state.withLock { for key in keys { $0.leave(key) } } }

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
