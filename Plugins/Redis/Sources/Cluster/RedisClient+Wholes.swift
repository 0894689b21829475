import StrataCore

extension RedisClient {
  /// Executes commands on a single server, not a cluster, as one transaction. Returns their replies, or the refusal.
  func sendWhole(_ commands: [RedisCommand]) async throws -> [RESPValue] {
    try await send(transaction: [.begin] + commands + [.end])
  }

  /// Executes a transaction, from its beginning to its end, on a single server. Returns the replies to its commands, or
  /// the refusal.
  ///
  /// More than `batchSize` commands use a separate connection, so that other calls do not wait behind them. The timeout
  /// is `config.timeout` for each thousand. If the execution is unknown, it is not repeated.
  func send(transaction all: [RedisCommand]) async throws -> [RESPValue] {
    var effort = Effort(config.timeout * (1 + all.replyCount / Self.batchSize))
    var known = try await known(&effort)
    while true {
      guard let route = route(of: nil, reads: false, in: known) else {
        guard try await effort.pause() else { throw StorageError.unserved(config.servers.first) }
        known = await refreshed(known, effort)
        continue
      }
      let verdict: Verdict
      let result: Result<[RESPValue], any Error>
      do {
        let replies = try await send(whole: all, to: try node(route.place), effort.left)
        let refusal = replies.first { $0.failure != nil }
        verdict = refusal.map { self.verdict(on: $0, from: route, in: known) } ?? .final
        result = .success(refusal.map { [$0] } ?? replies.last?.elements ?? replies)
      } catch {
        verdict = self.verdict(on: error, from: route, isIdempotent: false, in: known)
        result = .failure(error)
      }
      if case .final = verdict { return try result.get() }
      guard try await again(&effort, &known, pauses: true) else { return try result.get() }
    }
  }

  private func send(whole all: [RedisCommand], to node: RedisNode, _ deadline: Duration) async throws
    -> [RESPValue]
  {
    if all.replyCount <= Self.batchSize { return try await node.send(all, deadline: deadline) }
    return try await node.exclusive(writing: all.keysWritten) {
      try await $0.send(all, effect: .unguarded, deadline: deadline)
    }
  }
}

extension [RedisCommand] {
  /// The number of replies to all commands.
  var replyCount: Int { reduce(0) { $0 + $1.replyCount } }
}
