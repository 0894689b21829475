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
    subscript(key: Key) -> Lane? {
      get { first?.key == key ? first?.lane : others.isEmpty ? nil : others[key] }
      set {
        if first.map({ $0.key == key }) ?? others.isEmpty {
          first = newValue.map { (key, $0) }
        } else {
          others[key] = newValue
        }
      }
    }

    @inlinable
    mutating func nextNumber() -> UInt64 {
      lastNumber += 1
      return lastNumber
    }

    @inlinable
    mutating func leave(_ keys: some Sequence<Key>) {
      for key in keys {
        guard var lane = self[key] else { continue }
        lane.runners -= 1
        self[key] = lane.runners == 0 ? nil : lane
      }
    }
  }

  @usableFromInline let state = Locked(State())

  init() {}

  /// Starts a read. Returns its number.
  @inlinable
  func start(_ keys: some Sequence<Key>) -> UInt64 {
    state.withLock { state in
      for key in keys {
        var lane = state[key] ?? Lane()
        lane.runners += 1
        state[key] = lane
      }
      return state.nextNumber()
    }
  }

  /// Ends a read with results. Calls `settle` for each key whose result is current, under the lock: no other read ends
  /// and no change is recorded meanwhile.
  @inlinable
  func arrive(_ keys: some Sequence<Key>, _ number: UInt64, _ settle: (Key) throws -> Void) rethrows {
    try state.withLock { state in
      defer { state.leave(keys) }
      for key in keys {
        guard var lane = state[key], lane.latest < number else { continue }
        lane.latest = number
        state[key] = lane
        try settle(key)
      }
    }
  }

  /// Ends a failed read.
  func giveUp(_ keys: some Sequence<Key>) { state.withLock { $0.leave(keys) } }

  /// Records a change of the store: the results of all reads that began before are outdated. No read ends before
  /// `settle` has returned.
  func overtake(_ scope: TurnScope<Key>, _ settle: () throws -> Void) rethrows {
    try state.withLock { state in
      let number = state.nextNumber()
      switch scope {
      case .key(let key): state[key]?.latest = number
      case .keys(let keys): for key in keys { state[key]?.latest = number }
      case .everything:
        state.first?.lane.latest = number
        for key in state.others.keys { state.others[key]?.latest = number }
      }
      try settle()
    }
  }
}
