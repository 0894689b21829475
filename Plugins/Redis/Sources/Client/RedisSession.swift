import StrataCore

/// A connection that one caller has to itself.
struct RedisSession: Sendable {
  let connection: Connection

  /// Sends commands in one go and waits for all replies, in order. Nothing is ever sent twice.
  func send(_ commands: [RedisCommand], deadline: Duration? = nil) async throws -> [RESPValue] {
    if commands.isEmpty { return [] }
    let call = Call(deadline: .now + (deadline ?? connection.config.timeout))
    do {
      let replies = try await call.wait {
        do { try connection.add(call, commands) } catch { call.finish(.failure(error)) }
      }
      return replies.all
    } catch let error as RedisConnectionError { throw error.storageError(at: connection.address) }
  }
}

extension Replies {
  /// All replies, in order.
  var all: [RESPValue] {
    switch self {
    case .one(let reply): [reply]
    case .many(let replies): replies
    }
  }

  /// The reply to a single command.
  var only: RESPValue {
    switch self {
    case .one(let reply): reply
    case .many(let replies): .array(replies)
    }
  }
}
