import StrataCore

extension RedisClient {
  /// What became of a try to do a transaction.
  private enum Outcome<R: Sendable>: Sendable {
    case done(R)
    /// Somebody changed what was read, and nothing was done.
    case overtaken
    /// The server refused.
    case refused(RESPValue)
    /// What was to be done was decided against.
    case failed(any Error)
  }

  /// Reads, decides what to do, and does it, unless somebody has changed meanwhile what was watched: then all that is
  /// done again.
  ///
  /// Takes no longer than `config.timeout`, not counting `decide`. What may have been done is never done again.
  ///
  /// - Parameters:
  ///   - reading: Commands that watch and read, all on keys of one slot.
  ///   - decide: Says what to do after the replies, which are no refusals, and what is the result. If it throws,
  ///     nothing is done.
  func transaction<R: Sendable>(
    reading: [RedisCommand], _ decide: ([RESPValue]) throws -> (R, [RedisCommand])
  ) async throws -> R {
    var effort = Effort(config.timeout)
    var known = try await known(&effort)
    while true {
      guard let route = route(of: reading.first?.key, reads: false, in: known) else {
        guard try await effort.pause() else { throw StorageError.unserved(config.servers.first) }
        known = await refreshed(known, effort)
        continue
      }
      var isSent = false
      let verdict: Verdict
      let failure: any Error
      do {
        let outcome: Outcome<R> = try await node(route.place).exclusive(
          writing: reading.compactMap { $0.key.map(Fence.Key.init) }
        ) { session in
          try await Self.attempt(session, reading, &isSent, decide)
        }
        switch outcome {
        case .done(let result): return result
        case .failed(let error): throw error
        case .overtaken:
          verdict = .again(pauses: true)
          failure = StorageError.backendFailed.with(
            "others kept changing the entry for as long as a call may take",
            place: route.place.address.description)
        case .refused(let reply):
          verdict = self.verdict(on: reply, from: route, in: known)
          failure = StorageError.refusal(reply.failure ?? RedisReplyError("ERR"), by: route.place.address)
        }
      } catch {
        verdict = self.verdict(on: error, from: route, isIdempotent: !isSent, in: known)
        failure = error
      }
      switch verdict {
      case .final: throw failure
      case .again(let pauses):
        guard try await again(&effort, &known, pauses: pauses) else { throw failure }
      case .detour:
        // A transaction cannot be done on a slot that is on its way: wait until it has come.
        guard try await again(&effort, &known, pauses: true) else { throw failure }
      }
    }
  }

  /// One try, on a connection that nobody else uses.
  private static func attempt<R: Sendable>(
    _ session: RedisSession, _ reading: [RedisCommand], _ isSent: inout Bool,
    _ decide: ([RESPValue]) throws -> (R, [RedisCommand])
  ) async throws -> Outcome<R> {
    let forget = [RedisCommand("UNWATCH", keyIndex: nil)]
    let read = try await session.send(reading)
    if let refusal = read.first(where: { $0.failure != nil }) {
      _ = try await session.send(forget)
      return .refused(refusal)
    }
    let result: R
    let commands: [RedisCommand]
    do { (result, commands) = try decide(read) } catch {
      _ = try await session.send(forget)
      return .failed(error)
    }
    isSent = true
    let done = try await session.send(
      [.begin] + commands + [.end], effect: .guarded)
    if let refusal = done.first(where: { $0.failure != nil }) { return .refused(refusal) }
    guard let end = done.last, case .array(let replies) = end else { return .overtaken }
    if let refusal = replies.first(where: { $0.failure != nil }) { return .refused(refusal) }
    return .done(result)
  }
}

extension RedisCommand {
  /// The beginning of a transaction: what follows is done with its end, all of it or nothing.
  static let begin = RedisCommand("MULTI", keyIndex: nil, isIdempotent: true)
  /// The end of a transaction.
  static let end = RedisCommand("EXEC", keyIndex: nil, isIdempotent: true)
}
