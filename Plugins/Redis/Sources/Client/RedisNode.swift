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
  /// The writes that were given up, also by earlier connections to this server.
  private let fence: Fence
  private let links: Links
  private let sessions: Sessions

  /// A server. Nothing is connected before the first call.
  ///
  /// - Parameters:
  ///   - greeting: Commands that each connection sends when it is let in, before any call; a refusal of one ends it.
  ///   - onPush: Gets what the server sends unasked, on the thread of the event loop, in order with the replies of the
  ///     same connection: those that came before have been handed on. It must not block.
  ///   - onLinkChange: Learns when connections come and go, on the thread of the event loop. It must not block.
  init(
    address: RedisAddress, config: RedisConfig, fence: Fence = Fence(), greeting: [RedisCommand] = [],
    onPush: (@Sendable (RESPValue) -> Void)? = nil, onLinkChange: (@Sendable (LinkChange) -> Void)? = nil
  ) {
    self.address = address
    self.config = config
    self.fence = fence
    let encryption = Encryption(config.tls)
    links = Links(
      address, config, encryption, fence, greeting: greeting, onPush: onPush, onLinkChange: onLinkChange)
    sessions = Sessions(address, config, encryption, fence)
  }

  deinit { close() }

  /// Sends a command and waits for the reply; a server's refusal is a reply too, `.error`.
  ///
  /// Throws `.backendFailed` with a `RedisConnectionError` as cause if no reply comes, and `CancellationError` if the
  /// task is cancelled. What was not sent before the connection was lost goes over the next one. What may have been
  /// sent is sent again only if it is idempotent, and once.
  func send(_ command: RedisCommand, deadline: Duration? = nil) async throws -> RESPValue {
    try await replies(to: .one(command), by: .now + (deadline ?? config.timeout)).only
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
    let all = asking ? commands.flatMap { $0.parts.flatMap { [.asking, $0] } } : commands
    let replies = try await replies(to: .many(all), by: deadline).of(all)
    if !asking { return replies }
    var rest = stride(from: 1, to: replies.count, by: 2).map { replies[$0] }[...]
    return commands.map { command in
      let count = command.parts.count
      defer { rest = rest.dropFirst(count) }
      return count == 1 ? rest.first ?? .null : command.outcome.reply(rest.prefix(count))
    }
  }

  /// Puts a call in line on a connection, and waits for the replies. Throws what `send` throws.
  func replies(to parcel: RedisParcel, by deadline: ContinuousClock.Instant) async throws -> Replies {
    let isWrite = parcel.isWrite
    var mayRepeat = !isWrite
    while true {
      let call = Call(deadline: deadline, isWrite: isWrite)
      var carrier: Connection?
      do {
        let connection = try links.next(writing: parcel.keyOfWrite)
        if isWrite, !fence.isClear { try await settle(parcel.keysWritten, before: connection, by: deadline) }
        return try await call.wait {
          do throws(RedisConnectionError) {
            try connection.add(call, parcel)
            carrier = connection
          } catch { call.finish(.failure(Unsent(reason: error))) }
        }
      } catch let error as Unsent where .now < deadline && error.reason != .closed {
        // Over the next connection, or not at all, for the reason why there is none.
      } catch RedisConnectionError.lost where mayRepeat {
        mayRepeat = false
      } catch {
        if isWrite, let carrier { fence.doubt(parcel.keysWritten ?? [], call, on: carrier) }
        throw address.explained(error)
      }
    }
  }

  /// Returns when no earlier write that was given up can undo a write of these keys.
  private func settle(
    _ keys: [Fence.Key]?, before connection: Connection, by deadline: ContinuousClock.Instant
  )
    async throws
  {
    do { try await fence.settle(keys, before: connection, by: deadline) } catch RedisConnectionError.timedOut
    {
      throw Unsent(
        reason: .unreachable("an earlier write of the same key that was given up is still on its way"))
    }
  }

  /// Connects anew, to whichever server is at the address by now.
  func renew() { links.renew() }

  /// Lends a connection that nobody else uses meanwhile, for `WATCH`, `MULTI` and `EXEC`.
  ///
  /// If `body` throws, the connection is closed, and with it goes what it watched or queued; otherwise the next caller
  /// gets it.
  ///
  /// - Parameter keys: The keys that `body` writes: it begins when no earlier write of them that was given up can
  ///   arrive any more.
  func exclusive<R: Sendable>(
    writing keys: @autoclosure () -> [Fence.Key] = [], _ body: (RedisSession) async throws -> R
  ) async throws -> R {
    try await sessions.lend { session in
      if !fence.isClear {
        do { try await settle(keys(), before: session.connection, by: .now + config.timeout) } catch {
          throw address.explained(error)
        }
      }
      return try await body(session)
    }
  }

  /// Ends all connections. Calls that wait, and all later ones, fail.
  func close() {
    links.close()
    sessions.close()
  }
}

extension RedisCommand {
  fileprivate static let asking = RedisCommand("ASKING", keyIndex: nil, isIdempotent: true)
}
