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
    /// The lanes of the keys with reads in progress.
    @usableFromInline var lanes: [Key: Lane] = [:]

    init() {}

    @inlinable
    mutating func nextNumber() -> UInt64 {
      lastNumber += 1
      return lastNumber
    }

    @inlinable
    mutating func leave(_ keys: some Sequence<Key>) {
      for key in keys {
        lanes[key]?.runners -= 1
        if lanes[key]?.runners == 0 { lanes[key] = nil }
      }
    }
  }

  @usableFromInline let state = Locked(State())

  init() {}

  /// Starts a read. Returns its number.
  @inlinable
  func start(_ keys: some Sequence<Key>) -> UInt64 {
    state.withLock { state in
      for key in keys { state.lanes[key, default: Lane()].runners += 1 }
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
        guard let latest = state.lanes[key]?.latest, latest < number else { continue }
        state.lanes[key]?.latest = number
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
      case .key(let key): state.lanes[key]?.latest = number
      case .keys(let keys): for key in keys { state.lanes[key]?.latest = number }
      case .everything: for key in state.lanes.keys { state.lanes[key]?.latest = number }
      }
      try settle()
    }
  }
}
