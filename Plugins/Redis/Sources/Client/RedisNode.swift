import StrataCore

/// One server, reached by few connections that the calls of all tasks share.
final class RedisNode: Sendable {
  /// What became of one of the connections that carry calls. They are numbered anew with each one made.
  enum LinkChange: Sendable, Hashable {
    /// It is ready: the greeting has been answered.
    case up(Int)
    /// It is gone. This is told before any call that was lost with it learns of it.
    case down(Int)
  }

  let address: RedisAddress
  let config: RedisConfig
  private let links: Links
  private let sessions: Sessions

  /// A server. Nothing is connected before the first call.
  ///
  /// - Parameters:
  ///   - greeting: Commands that each connection sends when it is let in, before any call; a refusal of one ends it.
  ///   - onPush: Gets what the server sends unasked, on the thread of the event loop, in order with the replies of the same
  ///     connection: those that came before have been handed on. It must not block.
  ///   - onLinkChange: Learns when connections come and go, on the thread of the event loop. It must not block.
  init(
    address: RedisAddress, config: RedisConfig, greeting: [RedisCommand] = [],
    onPush: (@Sendable (RESPValue) -> Void)? = nil, onLinkChange: (@Sendable (LinkChange) -> Void)? = nil
  ) {
    self.address = address
    self.config = config
    let encryption = Encryption(config.tls)
    links = Links(address, config, encryption, greeting: greeting, onPush: onPush, onLinkChange: onLinkChange)
    sessions = Sessions(address, config, encryption)
  }

  deinit { close() }

  /// Sends a command and waits for the reply; a server's refusal is a reply too, `.error`.
  ///
  /// Throws `.backendFailed` with a `RedisConnectionError` as cause if no reply comes, and `CancellationError` if the task is
  /// cancelled. A command that is idempotent is sent a second time if the connection is lost before the reply.
  func send(_ command: RedisCommand, deadline: Duration? = nil) async throws -> RESPValue {
    let deadline = ContinuousClock.now + (deadline ?? config.timeout)
    return try await reply(by: deadline, isIdempotent: command.isIdempotent) {
      (connection, call) throws(RedisConnectionError) in try connection.add(call, command)
    }.only
  }

  /// Sends commands in one go, in order, on one connection, and waits for all replies, also in order.
  ///
  /// If all of them are idempotent, they are sent a second time if the connection is lost before the replies.
  ///
  /// - Parameter asking: Sends `ASKING` before each, for a slot that is on its way to this node.
  func send(_ commands: [RedisCommand], asking: Bool = false, deadline: Duration? = nil) async throws
    -> [RESPValue]
  {
    if commands.isEmpty { return [] }
    let deadline = ContinuousClock.now + (deadline ?? config.timeout)
    let all = asking ? commands.flatMap { [.asking, $0] } : commands
    let replies = try await reply(by: deadline, isIdempotent: commands.allSatisfy(\.isIdempotent)) {
      (connection, call) throws(RedisConnectionError) in try connection.add(call, all)
    }.all
    return asking ? stride(from: 1, to: replies.count, by: 2).map { replies[$0] } : replies
  }

  private func reply(
    by deadline: ContinuousClock.Instant, isIdempotent: Bool,
    _ join: (Connection, Call) throws(RedisConnectionError) -> Void
  ) async throws -> Replies {
    var mayRepeat = isIdempotent
    while true {
      let call = Call(deadline: deadline)
      do {
        return try await call.wait {
          do throws(RedisConnectionError) { try self.join(call, join) } catch { call.finish(.failure(error)) }
        }
      } catch RedisConnectionError.lost where mayRepeat {
        mayRepeat = false
      } catch let error as RedisConnectionError {
        throw error.storageError(at: address)
      }
    }
  }

  /// Puts a call in line on a connection that takes it.
  private func join(_ call: Call, _ join: (Connection, Call) throws(RedisConnectionError) -> Void)
    throws(RedisConnectionError)
  {
    while true {
      let connection = try links.next()
      do throws(RedisConnectionError) { return try join(connection, call) } catch {
        // It has ended between the two, and nothing was sent: the next one, or the reason why there is none.
      }
    }
  }

  /// Lends a connection that nobody else uses meanwhile, for `WATCH`, `MULTI` and `EXEC`.
  ///
  /// If `body` throws, the connection is closed, and with it goes what it watched or queued; otherwise the next caller gets it.
  func exclusive<R: Sendable>(_ body: (RedisSession) async throws -> R) async throws -> R {
    try await sessions.lend(body)
  }

  /// Ends all connections. Calls that wait, and all later ones, fail.
  func close() {
    links.close()
    sessions.close()
  }
}

extension RedisCommand {
  fileprivate static let asking = RedisCommand("ASKING", keyIndex: nil)
}
