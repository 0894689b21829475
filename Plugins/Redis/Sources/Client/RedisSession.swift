import StrataNetwork

/// A connection used by a single caller.
struct RedisSession: Sendable {
  let connection: Connection

  /// Sends commands together and returns all replies in order. Nothing is ever sent twice.
  ///
  /// - Parameter effect: How to treat commands whose execution is unknown.
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
        connection.fence.abandon(commands.keysWritten, call, on: connection)
      }
      throw connection.address.explained(error)
    }
  }

  /// The effect of commands whose execution is unknown.
  enum Effect {
    case none
    /// No effect on later writes: a watched key prevents the execution if the key is written first.
    case guarded
    /// A change at any later time: writes of the same keys must wait until it is excluded.
    case unguarded
  }
}

extension RedisAddress {
  /// Returns the error of a call for users of a store.
  func explained(_ error: any Error) -> any Error {
    switch error {
    case let error as RedisConnectionError: error.storageError(at: self)
    case let error as Unsent: error.reason.unsent.storageError(at: self)
    default: error
    }
  }
}

extension RedisConnectionError {
  /// The error to report if nothing was sent.
  var unsent: RedisConnectionError {
    switch self {
    case .lost(let reason): .unreachable(reason)
    case .unreachable, .timedOut, .closed, .malformedReply, .refused: self
    }
  }
}

extension [RedisCommand] {
  /// The keys of the commands that change data.
  var keysWritten: [Fence.Key] { flatMap { $0.keysWritten.map(Fence.Key.init) } }
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

  /// Returns one reply per command, though some commands have several.
  func of(_ commands: [RedisCommand]) -> [RESPValue] {
    let all = all
    // The replies of a single command are combined already.
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

  /// The server's refusal of a single command, if any.
  var failure: RedisReplyError? {
    if case .one(let reply) = self { return reply.failure }
    return nil
  }
}
