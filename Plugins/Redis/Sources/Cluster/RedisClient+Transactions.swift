import StrataCore

extension RedisClient {
  /// The outcome of an attempt at a transaction.
  private enum Outcome: Sendable {
    case done
    /// A watched key was changed by another client; nothing was done.
    case overtaken
    /// The server refused.
    case refused(RESPValue)
    /// `decide` threw an error.
    case failed(any Error)
  }

  /// Reads, decides and writes, atomically. If another client changes a watched key meanwhile, it repeats all of it.
  ///
  /// Takes at most `config.timeout`, without the time of `decide`. A transaction that may have been executed is never
  /// repeated.
  ///
  /// - Parameters:
  ///   - reading: Commands that watch and read, all on keys of one slot.
  ///   - decide: Returns the result and the commands to execute, given the replies, which are no refusals. If it
  ///     throws, nothing is executed.
  func transaction<R>(
    reading: [RedisCommand], _ decide: ([RESPValue]) throws -> (R, [RedisCommand])
  ) async throws -> R {
    var result: R?
    try await repeatUntilDone(reading) { replies in
      let (decided, commands) = try decide(replies)
      result = decided
      return commands
    }
    guard let result else { preconditionFailure("what has been executed has been decided") }
    return result
  }

  /// Makes attempts until one is done. Not generic: its code would exist once for each type of result.
  private func repeatUntilDone(
    _ reading: [RedisCommand], _ decide: ([RESPValue]) throws -> [RedisCommand]
  ) async throws {
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
        let outcome = try await node(route.place).exclusive(
          writing: reading.compactMap { $0.key.map(Fence.Key.init) }
        ) { session in
          try await Self.attempt(session, reading, &isSent, decide)
        }
        switch outcome {
        case .done: return
        case .failed(let error): throw error
        case .overtaken:
          verdict = .again(pauses: true)
          failure = StorageError.backendFailed.with(
            "other clients changed the entry during each attempt until the timeout",
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
        // A transaction cannot be executed on a slot that is being moved: wait for the end of the move.
        guard try await again(&effort, &known, pauses: true) else { throw failure }
      }
    }
  }

  /// Makes one attempt, on a connection that no other task uses.
  private static func attempt(
    _ session: RedisSession, _ reading: [RedisCommand], _ isSent: inout Bool,
    _ decide: ([RESPValue]) throws -> [RedisCommand]
  ) async throws -> Outcome {
    let forget = [RedisCommand("UNWATCH", keyIndex: nil)]
    let read = try await session.send(reading)
    if let refusal = read.first(where: { $0.failure != nil }) {
      _ = try await session.send(forget)
      return .refused(refusal)
    }
    let commands: [RedisCommand]
    do { commands = try decide(read) } catch {
      _ = try await session.send(forget)
      return .failed(error)
    }
    isSent = true
    let done = try await session.send(
      [.begin] + commands + [.end], effect: .guarded)
    if let refusal = done.first(where: { $0.failure != nil }) { return .refused(refusal) }
    guard let end = done.last, case .array(let replies) = end else { return .overtaken }
    if let refusal = replies.first(where: { $0.failure != nil }) { return .refused(refusal) }
    return .done
  }
}

extension RedisCommand {
  /// Begins a transaction: the commands up to `end` are executed atomically.
  static let begin = RedisCommand("MULTI", keyIndex: nil, isIdempotent: true)
  /// Executes a transaction.
  static let end = RedisCommand("EXEC", keyIndex: nil, isIdempotent: true)
}
