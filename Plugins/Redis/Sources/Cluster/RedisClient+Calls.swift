import StrataCore

extension RedisClient {
  /// Sends a command to the server of its key and returns the reply, which may be a refusal.
  ///
  /// Takes at most `config.timeout`, and waits while a cluster replaces a failed primary. Throws the same errors as
  /// `RedisNode.send`. A command that may have been executed is sent again only if it is idempotent.
  ///
  /// - Parameter reads: Whether a replica may answer, if the configuration allows it.
  func send(_ command: RedisCommand, reads: Bool = false) async throws -> RESPValue {
    try await replies(to: command, reads: reads).only
  }

  /// The same as `send`, but returns each reply separately.
  func replies(to command: RedisCommand, reads: Bool = false) async throws -> Replies {
    guard let only else { return .one(try await send(command, reads: reads, Effort(config.timeout))) }
    let deadline = ContinuousClock.now + config.timeout
    let result: Result<RESPValue, any Error>
    do {
      let replies = try await only.replies(to: .one(command), by: deadline)
      if replies.failure == nil { return replies }
      result = .success(replies.only)
    } catch { result = .failure(error) }
    let effort = Effort(config.timeout, until: deadline)
    return .one(try await send(command, reads: reads, effort, after: (result, only.address)))
  }

  /// Sends a command until it succeeds or time runs out. `first` is the result of an attempt already made.
  private func send(
    _ command: RedisCommand, reads: Bool, _ effort: Effort,
    after first: (result: Result<RESPValue, any Error>, server: RedisAddress)? = nil
  ) async throws -> RESPValue {
    var effort = effort
    var first = first
    var known = try await known(&effort)
    var detour: Route?
    while true {
      guard let route = detour ?? route(of: command.key, reads: reads, in: known) else {
        guard try await effort.pause() else { throw StorageError.unserved(config.servers.first) }
        known = await refreshed(known, effort)
        continue
      }
      let asked = first.map { Route(place: Place(address: $0.server)) } ?? route
      let result: Result<RESPValue, any Error>
      if let earlier = first?.result {
        result = earlier
      } else {
        do { result = .success(try await send(command, by: asked, effort, in: known)) } catch {
          result = .failure(error)
        }
      }
      first = nil
      let verdict =
        switch result {
        case .success(let reply): self.verdict(on: reply, from: asked, in: known)
        case .failure(let error):
          self.verdict(on: error, from: asked, isIdempotent: command.isIdempotent, in: known)
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
    if !route.isAsking { return try await node.replies(to: .one(command), by: .now + deadline).only }
    return try await node.send([command], asking: true, deadline: deadline)[0]
  }

  /// Prepares another attempt. Returns `false` if there is no time for one.
  @inline(never)
  func again(_ effort: inout Effort, _ known: inout Known, pauses: Bool) async throws -> Bool {
    if pauses {
      guard try await effort.pause() else { return false }
      known = await refreshed(known, effort)
      // The last reply is more informative than an error that time has run out.
      if effort.left == .zero { return false }
    } else {
      // Redirections are followed at once, unless two servers redirect to each other.
      guard try await effort.turn() else { return false }
      known = try await self.known()
    }
    return true
  }
}
