import StrataCore

/// Loading by one process on behalf of all processes that share the inner store.
extension LoadEngine {
  /// Runs loads under leases. A load of a key that another process loads waits for that process's value; a refresh of
  /// such a key is skipped.
  func run(_ planned: [Planned], under keeper: LeaseKeeper<Key>, in place: LoadPlace) async throws {
    var mine: [Planned] = []
    var held: [Key: StorageLease] = [:]
    var others: [Planned] = []
    do {
      for load in planned {
        switch try await lease(of: load.key, by: keeper) {
        case .held(let lease):
          held[load.key] = lease
          mine.append(load.lookingAgain)
        case .none: mine.append(load)
        case .taken: others.append(load)
        }
      }
    } catch {
      // Cancelled: release the acquired leases.
      return try await keeper.holding(held, on: clock) { throw error }
    }
    if !mine.isEmpty { try await run(mine, holding: held, by: keeper, in: place) }
    for load in others {
      if load.reason == .ahead {
        flights.giveUp(load.flight)
      } else {
        try await awaitOther(load.lookingAgain, keeper, in: place)
      }
    }
  }

  private func lease(of key: Key, by keeper: LeaseKeeper<Key>) async throws -> LeaseAnswer {
    do {
      let lease: StorageLease?
      if let limit = policy.storeTimeout {
        let error = StorageError.timedOut.with("the lease took longer than \(limit)", key: key)
        lease = try await withTimeLimit(limit, on: clock, throwing: error) { try await keeper.acquire(key) }
      } else {
        lease = try await keeper.acquire(key)
      }
      guard let lease else { return .taken }
      return .held(lease)
    } catch {
      if Task.isCancelled { throw error }
      reporter.report(.leaseFailed(error), key)
      return .none
    }
  }

  private func run(
    _ loads: [Planned], holding held: [Key: StorageLease], by keeper: LeaseKeeper<Key>, in place: LoadPlace
  ) async throws {
    try await keeper.holding(held, on: clock) {
      for key in held.keys {
        // Memory may hold a value that another process has replaced.
        do { try await base.removeInMemoryObject(forKey: key) } catch {
          reporter.report(.storeFailed(error), key)
        }
        reporter.report(.leaseWon, key)
      }
      try await run(loads, leases: held, in: place)
    }
  }

  /// Waits until another process has stored a value or released its lease.
  private func awaitOther(_ load: Planned, _ keeper: LeaseKeeper<Key>, in place: LoadPlace) async throws {
    let key = load.key
    let bell = LeaseBell(key, base.invalidationSource, keeper, on: clock)
    let stopwatch = startStopwatch(clock)
    while true {
      try await base.removeInMemoryObject(forKey: key)
      if load.reason != .asked, try await stillNeeded([load]).isEmpty {
        return reporter.report(.leaseAwaited(stopwatch()), key)
      }
      switch try await lease(of: key, by: keeper) {
      case .held(let lease):
        return try await run([load], holding: [key: lease], by: keeper, in: place)
      case .none: return try await run([load], in: place)
      case .taken: try await bell.wait()
      }
    }
  }
}

/// The outcome of a request for a lease.
private enum LeaseAnswer {
  case held(StorageLease)
  case taken
  /// No lease can be acquired: every process loads.
  case none
}

extension PlannedLoad {
  /// Returns the load with a check whether it is still needed, unless it was requested explicitly.
  var lookingAgain: PlannedLoad {
    var load = self
    load.looksAgain = reason != .asked
    return load
  }
}
