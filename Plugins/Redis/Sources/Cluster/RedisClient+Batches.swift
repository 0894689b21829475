import StrataCore

extension RedisClient {
  /// The maximum number of commands sent together. More would make other calls wait behind them.
  static let batchSize = 1000

  /// Sends commands, each to the server of its key, and returns all replies in the order of the commands. Commands for
  /// one server are sent together; servers are called concurrently. The timeout is `config.timeout` for each thousand.
  ///
  /// Idempotent commands that a lost server did not answer are sent again, as are commands refused because a slot has
  /// moved. Throws if one of them gets no reply; others may have been executed then.
  ///
  /// - Parameter reads: Whether replicas may answer, if the configuration allows it.
  func send(_ commands: [RedisCommand], reads: Bool = false) async throws -> [RESPValue] {
    if commands.count <= Self.batchSize { return try await send(batch: commands, reads: reads) }
    var replies: [RESPValue] = []
    for batch in commands.parts(of: Self.batchSize) {
      replies += try await send(batch: Array(batch), reads: reads)
    }
    return replies
  }

  private func send(batch commands: [RedisCommand], reads: Bool) async throws -> [RESPValue] {
    var effort = Effort(config.timeout)
    var known = try await known(&effort)
    var first: [Group]?
    if let only = known.only {
      let result = await Result { try await only.send(commands) }
      if case .success(let replies) = result, !replies.contains(where: { $0.failure != nil }) {
        return replies
      }
      let route = Route(place: Place(address: only.address))
      first = [Group(route: route, indices: Array(commands.indices), result: result)]
    }
    var replies = [RESPValue](repeating: .null, count: commands.count)
    var open = Array(commands.indices)
    var detours: [Int: Route] = [:]
    while !open.isEmpty {
      let groups = Dictionary(grouping: open) { index in
        detours[index] ?? route(of: commands[index].key, reads: reads, in: known)
      }
      open = []
      detours = [:]
      var pauses = false
      var failure: (any Error)?
      let answered: [Group]
      if let first {
        answered = first
      } else {
        answered = try await send(commands, groups, effort, in: known)
      }
      first = nil
      for group in answered {
        for (place, index) in group.indices.enumerated() {
          let verdict =
            switch group.result {
            case .success(let answers):
              self.verdict(on: answers[place], from: group.route, in: known)
            case .failure(let error):
              self.verdict(
                on: error, from: group.route, isIdempotent: commands[index].isIdempotent, in: known)
            }
          if case .success(let answers) = group.result { replies[index] = answers[place] }
          switch verdict {
          case .final: if case .failure(let error) = group.result { throw error }
          case .detour(let route):
            detours[index] = route
            open.append(index)
          case .again(let isLater):
            pauses = pauses || isLater
            open.append(index)
            if case .failure(let error) = group.result { failure = error }
          }
        }
      }
      if let unserved = groups[nil] {
        pauses = true
        failure = failure ?? StorageError.unserved(config.servers.first)
        open += unserved
      }
      guard !open.isEmpty, detours.count < open.count else { continue }
      guard try await again(&effort, &known, pauses: pauses) else {
        if let failure { throw failure }
        return replies
      }
    }
    return replies
  }

  /// The commands for one server, and their result.
  private struct Group: Sendable {
    let route: Route
    let indices: [Int]
    let result: Result<[RESPValue], any Error>
  }

  private func send(
    _ commands: [RedisCommand], _ groups: [Route?: [Int]], _ effort: Effort, in known: Known
  ) async throws -> [Group] {
    let mayRepeat = commands.allSatisfy(\.isIdempotent)
    let deadline = effort.share(isLast: !mayRepeat || !canMove(in: known))
    @Sendable func send(_ route: Route, _ indices: [Int]) async -> Group {
      let result = await Result {
        try await node(route.place).send(
          indices.map { commands[$0] }, asking: route.isAsking, deadline: deadline)
      }
      return Group(route: route, indices: indices, result: result)
    }
    if groups.count == 1, case (let route?, let indices)? = groups.first {
      return [await send(route, indices)]
    }
    return await withTaskGroup(of: Group.self) { tasks in
      for case (let route?, let indices) in groups { tasks.addTask { await send(route, indices) } }
      return await tasks.reduce(into: []) { $0.append($1) }
    }
  }
}
