import StrataCore

extension RedisClient {
  /// Calls `body` for each primary, concurrently, until it has succeeded for all that have slots. `body` may be called
  /// more than once per server.
  ///
  /// If a server fails and another takes over, or slots move meanwhile, everything is repeated: a moved slot may have
  /// been on neither server when `body` ran for that server.
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
        // The body only reads and removes, so it may be repeated.
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
