import StrataCore

extension RedisClient {
  /// Sends a command to the server that has its key, wherever that is by now, and waits for the reply; a refusal is a reply too.
  ///
  /// Takes no longer than `config.timeout`. While a cluster puts a replica in the place of a primary that has fallen, it waits. Throws
  /// what `RedisNode.send` throws. A command that may have been carried out is sent again only if it is idempotent.
  ///
  /// - Parameter reads: Whether a replica may answer, if the configuration says so.
  func send(_ command: RedisCommand, reads: Bool = false) async throws -> RESPValue {
    if let only { return try await only.send(command) }
    var known = try await known()
    if let only = known.only { return try await only.send(command) }
    var effort = Effort(config.timeout)
    var detour: Route?
    while true {
      guard let route = detour ?? route(of: command.key, reads: reads, in: known) else {
        guard try await effort.pause() else { throw StorageError.unserved(config.addresses.first) }
        known = try await self.known(after: known.version)
        continue
      }
      let verdict: Verdict
      let result: Result<RESPValue, any Error>
      do {
        let reply = try await send(command, by: route, effort, in: known)
        verdict = self.verdict(on: reply, from: route, in: known)
        result = .success(reply)
      } catch {
        verdict = self.verdict(on: error, from: route, isIdempotent: command.isIdempotent, in: known)
        result = .failure(error)
      }
      switch verdict {
      case .final: return try result.get()
      case .detour(let other): detour = other
      case .again(let pauses):
        detour = nil
        guard try await again(&effort, &known, pauses: pauses) else { return try result.get() }
      }
    }
  }

  private func send(_ command: RedisCommand, by route: Route, _ effort: Effort, in known: Known) async throws
    -> RESPValue
  {
    let node = try node(route.place)
    let deadline = effort.share(isLast: !(command.isIdempotent && canMove(in: known)))
    if !route.isAsking { return try await node.send(command, deadline: deadline) }
    return try await node.send([command], asking: true, deadline: deadline)[0]
  }

  /// Gets ready for another try; `false` if there is no time for one.
  func again(_ effort: inout Effort, _ known: inout Known, pauses: Bool) async throws -> Bool {
    if pauses {
      guard try await effort.pause() else { return false }
      known = await refreshed(known)
    } else {
      // Redirections follow each other at once, unless two servers send us to and fro.
      guard try await effort.turn() else { return false }
      known = try await self.known()
    }
    return true
  }

  /// What is known after the servers were asked again; the same as before if none of them answers.
  private func refreshed(_ known: Known) async -> Known {
    do { return try await self.known(after: known.version) } catch { return known }
  }
}
