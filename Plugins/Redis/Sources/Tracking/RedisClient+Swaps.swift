import StrataCore

extension RedisClient {
  /// Looks whether databases were swapped, of which a server tells nobody, once in each `config.heartbeat`, until the
  /// client is gone.
  ///
  /// A server counts how often it was asked to. Where the user may not ask for that (`INFO`), nobody looks.
  func watchForSwaps() {
    EventLoop.shared.schedule(at: .now + config.heartbeat) { [weak self] in
      guard let self else { return }
      Task { [weak self] in
        guard let self, await lookForSwaps() else { return }
        watchForSwaps()
      }
    }
  }

  /// Asks the server, and forgets what was read if it has swapped. Returns whether to ask again.
  private func lookForSwaps() async -> Bool {
    // A cluster has one database.
    guard let known = knownAlready, case .single(let shard) = known.topology else { return true }
    let question = RedisCommand("INFO", "commandstats", keyIndex: nil, isIdempotent: true)
    let answer = await Result {
      try await node(Place(address: shard.primary)).send(question, deadline: config.heartbeat)
    }
    switch answer {
    // Then its connections are lost, or were closed for good.
    case .failure(let error):
      return ((error as? StorageError)?.cause as? RedisConnectionError) != .closed
    case .success(let reply):
      if reply.failure != nil { return reply.failure?.mayPass == true }
      tracking.count(swaps: Self.swaps(in: reply.text ?? ""), on: shard.primary)
      return true
    }
  }

  /// How often databases were swapped, from what a server says of its commands.
  private static func swaps(in text: String) -> Int {
    let head = "cmdstat_swapdb:calls="
    let line = text.split(whereSeparator: \.isNewline).first { $0.hasPrefix(head) }
    return line.flatMap { Int($0.dropFirst(head.count).prefix(while: \.isNumber)) } ?? 0
  }
}
