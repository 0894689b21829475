import StrataCore
import StrataNetwork

extension RedisClient {
  /// Checks once per `config.heartbeat` whether `SWAPDB` was executed, which servers do not report. The check ends with
  /// the client.
  ///
  /// A server counts these commands. If the user may not run `INFO`, the check is disabled.
  func watchForSwaps() {
    EventLoop.shared.schedule(at: .now + config.heartbeat) { [weak self] in
      guard let self else { return }
      Task { [weak self] in
        guard let self, await lookForSwaps() else { return }
        watchForSwaps()
      }
    }
  }

  /// Asks the server, and reports everything as changed after a `SWAPDB`. Returns whether to continue checking.
  private func lookForSwaps() async -> Bool {
    // A cluster has only one database.
    guard let known = knownAlready, case .single(let shard) = known.topology else { return true }
    let question = RedisCommand("INFO", "commandstats", keyIndex: nil, isIdempotent: true)
    let answer = await Result {
      try await node(Place(address: shard.primary)).send(question, deadline: config.heartbeat)
    }
    switch answer {
    // The connections are lost, or the client was closed.
    case .failure(let error):
      return ((error as? StorageError)?.cause as? RedisConnectionError) != .closed
    case .success(let reply):
      if reply.failure != nil { return reply.failure?.mayPass == true }
      tracking.count(swaps: Self.swaps(in: reply.text ?? ""), on: shard.primary)
      return true
    }
  }

  /// Returns the number of `SWAPDB` commands in the server's statistics.
  private static func swaps(in text: String) -> Int {
    let head = "cmdstat_swapdb:calls="
    let line = text.split(whereSeparator: \.isNewline).first { $0.hasPrefix(head) }
    return line.flatMap { Int($0.dropFirst(head.count).prefix(while: \.isNumber)) } ?? 0
  }
}
