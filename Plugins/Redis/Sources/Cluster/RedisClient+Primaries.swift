import StrataCore

extension RedisClient {
  /// Does something with each server that takes writes, side by side, until it was done with all that have slots. What
  /// is done may be done twice.
  ///
  /// If a server fails for which another takes over, or slots move to another server meanwhile, all of it is done
  /// again: what moved may have been on neither server when that one was asked.
  func onPrimaries(
    _ body: @escaping @Sendable (_ node: RedisNode, _ isCluster: Bool) async throws -> Void
  ) async throws {
    var effort = Effort(config.timeout)
    var known = try await known(&effort)
    while true {
      do {
        try await onPrimaries(of: known, body)
        guard case .cluster(let before) = known.topology else { return }
        known = try await self.known(after: known.version)
        if case .cluster(let after) = known.topology, after.hasPrimaries(of: before) { return }
      } catch let error as StorageError {
        // What is written is only removed: that may be done again.
        guard error.mayPass(isIdempotent: true) else { throw error }
        if (error.cause as? RedisReplyError)?.code == "READONLY", !canMove(in: known) {
          for address in known.topology.primaries { renew(Place(address: address)) }
        }
        guard try await again(&effort, &known, pauses: true)
        else { throw error }
      }
    }
  }

  private func onPrimaries(
    of known: Known, _ body: @escaping @Sendable (_ node: RedisNode, _ isCluster: Bool) async throws -> Void
  ) async throws {
    let isCluster = known.topology.isCluster
    try await withThrowingTaskGroup(of: Void.self) { group in
      for address in known.topology.primaries {
        let node = try node(Place(address: address))
        group.addTask { try await body(node, isCluster) }
      }
      try await group.waitForAll()
    }
  }
}
