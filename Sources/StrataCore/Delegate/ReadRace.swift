/// Tells which reads of a store may still say what is in it: those that no later read and no change has overtaken.
///
/// Reads run side by side and wait for nothing. A slow one must not bring an old value to the cache after a newer one has
/// come, so each takes a number at its start and looks at its end whether its number is still the highest.
final class ReadRace<Key: Hashable & Sendable>: Sendable {
  /// A read on its way.
  struct Runner: Sendable {
    fileprivate let number: UInt64
    fileprivate let keys: Set<Key>
  }

  private struct Lane {
    var runners = 0
    /// The number of the last read that arrived or change that was made.
    var latest: UInt64 = 0
  }

  private struct State {
    var lastNumber: UInt64 = 0
    /// Only keys that are being read now have a lane.
    var lanes: [Key: Lane] = [:]

    mutating func nextNumber() -> UInt64 {
      lastNumber += 1
      return lastNumber
    }

    mutating func leave(_ key: Key) {
      lanes[key]?.runners -= 1
      if lanes[key]?.runners == 0 { lanes[key] = nil }
    }
  }

  private let state = Locked(State())

  /// Starts a read.
  func start(_ keys: some Sequence<Key>) -> Runner {
    let keys = Set(keys)
    return state.withLock { state in
      for key in keys { state.lanes[key, default: Lane()].runners += 1 }
      return Runner(number: state.nextNumber(), keys: keys)
    }
  }

  /// Ends a read that learnt something; calls `settle` for each key on which nothing has overtaken it. No other read
  /// arrives and no change is announced meanwhile.
  func arrive(_ runner: Runner, _ settle: (Key) throws -> Void) rethrows {
    try state.withLock { state in
      var current: [Key] = []
      for key in runner.keys {
        if let lane = state.lanes[key], lane.latest < runner.number {
          state.lanes[key]?.latest = runner.number
          current.append(key)
        }
        state.leave(key)
      }
      for key in current { try settle(key) }
    }
  }

  /// Ends a read that failed.
  func giveUp(_ runner: Runner) {
    state.withLock { state in for key in runner.keys { state.leave(key) } }
  }

  /// Announces that the store has changed: all reads that started before are behind. No read arrives before `settle` has ended.
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
