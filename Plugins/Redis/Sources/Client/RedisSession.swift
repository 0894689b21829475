import StrataCore

/// A connection that one caller has to itself.
struct RedisSession: Sendable {
  let connection: Connection

  /// Sends commands in one go and waits for all replies, in order. Nothing is ever sent twice.
  ///
  /// - Parameter effect: What becomes of it if nobody knows whether it was done.
  func send(_ commands: [RedisCommand], effect: Effect = .none, deadline: Duration? = nil) async throws
    -> [RESPValue]
  {
    if commands.isEmpty { return [] }
    let call = Call(deadline: .now + (deadline ?? connection.config.timeout), isWrite: effect == .unguarded)
    var isSent = false
    do {
      let replies = try await call.wait {
        do throws(RedisConnectionError) {
          try connection.add(call, .many(commands))
          isSent = true
        } catch { call.finish(.failure(Unsent(reason: error))) }
      }
      return replies.all
    } catch let error as Unsent where effect == .none {
      throw connection.address.explained(error.reason)
    } catch {
      if isSent, effect == .unguarded {
        connection.fence.doubt(commands.keysWritten, call, on: connection)
      }
      throw connection.address.explained(error)
    }
  }

  /// What commands change.
  enum Effect {
    case none
    /// Nothing, if a key of theirs was written before they arrive, because it is watched.
    case guarded
    /// Something, whenever they arrive: later writes of their keys have to wait where nobody knows whether they did.
    case unguarded
  }
}

extension RedisAddress {
  /// The failure of a call as a user of a store gets it.
  func explained(_ error: any Error) -> any Error {
    switch error {
    case let error as RedisConnectionError: error.storageError(at: self)
    case let error as Unsent: error.reason.unsent.storageError(at: self)
    default: error
    }
  }
}

extension RedisConnectionError {
  /// The same, where nothing was sent.
  var unsent: RedisConnectionError {
    switch self {
    case .lost(let reason): .unreachable(reason)
    case .unreachable, .timedOut, .closed, .malformedReply, .refused: self
    }
  }
}

extension [RedisCommand] {
  /// The keys of those commands that change something.
  var keysWritten: [Fence.Key] { compactMap { $0.isIdempotent ? nil : $0.key.map(Fence.Key.init) } }
}

extension Replies {
  /// All replies, in order.
  var all: [RESPValue] {
    switch self {
    case .one(let reply): [reply]
    case .two(let first, let second): [first, second]
    case .many(let replies): replies
    }
  }

  /// The replies to commands, of which some have several.
  func of(_ commands: [RedisCommand]) -> [RESPValue] {
    let all = all
    // One alone has only one by now.
    if all.count == commands.count { return all }
    var place = 0
    return commands.map { command in
      defer { place += command.replyCount }
      return command.outcome.reply(all[place..<place + command.replyCount])
    }
  }

  /// The reply to a single command.
  var only: RESPValue {
    switch self {
    case .one(let reply): reply
    case .two(let first, let second): .array([first, second])
    case .many(let replies): .array(replies)
    }
  }

  /// What the server refused, if the reply to a single command is a refusal.
  var failure: RedisReplyError? {
    if case .one(let reply) = self { return reply.failure }
    return nil
  }
}
