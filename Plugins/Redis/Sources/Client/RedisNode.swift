import StrataNetwork

/// One server, reached by few connections that the calls of all tasks share.
final class RedisNode: Sendable {
  /// A change of a shared connection. Each new connection has a new number.
  enum LinkChange: Sendable, Hashable {
    /// The connection is ready: its handshake is complete.
    case up(Int)
    /// The connection is lost. This is reported before any call that fails with it.
    case down(Int)
  }

  let address: RedisAddress
  let config: RedisConfig
  /// The abandoned writes, also of earlier connections to this server.
  private let fence: Fence
  private let links: Links
  private let sessions: Sessions

  /// Creates a node. It connects at the first call.
  ///
  /// - Parameters:
  ///   - greeting: Commands that each connection sends after authentication, before any call. A refusal ends the
  ///     connection.
  ///   - onPush: Called with push messages on the thread of the event loop, in order with the replies of the same
  ///     connection. It must not block.
  ///   - onLinkChange: Called when connections become ready or are lost, on the thread of the event loop. It must not
  ///     block.
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

  /// Sends a command and returns the reply, which may be a refusal, `.error`.
  ///
  /// Throws `.backendFailed` with a `RedisConnectionError` as cause if no reply arrives, and `CancellationError` if the
  /// task is cancelled. A command that was not sent before the connection was lost is sent over the next one. A command
  /// that may have been sent is repeated, once, only if it is idempotent.
  func send(_ command: RedisCommand, deadline: Duration? = nil) async throws -> RESPValue {
    try await replies(to: .one(command), by: .now + (deadline ?? config.timeout)).only
  }

  /// Sends commands together, in order, on one connection, and returns all replies in order.
  ///
  /// If all of them are idempotent, they are sent once more if the connection is lost before the replies.
  ///
  /// - Parameter asking: Sends `ASKING` before each command, for a slot that is being moved to this node.
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

  /// Queues a call on a connection, and returns the replies. Throws the same errors as `send`.
  ///
  /// Inlined, as is `wait`, since each function that awaits needs a separate frame.
  @inline(__always)
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
        // The command is sent again over the next connection, or fails with the reason why there is none.
      } catch RedisConnectionError.lost where mayRepeat {
        mayRepeat = false
      } catch {
        if isWrite, let carrier { fence.abandon(parcel.keysWritten ?? [], call, on: carrier) }
        throw address.explained(error)
      }
    }
  }

  /// Returns when no earlier abandoned write of these keys can still be executed.
  private func settle(
    _ keys: [Fence.Key]?, before connection: Connection, by deadline: ContinuousClock.Instant
  )
    async throws
  {
    do { try await fence.settle(keys, before: connection, by: deadline) } catch RedisConnectionError.timedOut
    {
      throw Unsent(
        reason: .unreachable("an earlier, abandoned write of the same key may still be executed"))
    }
  }

  /// Replaces the connections by new ones, which resolve the server's name again.
  func renew() {
    links.renew()
    sessions.renew()
  }

  /// Calls `body` with a connection that no other task uses, for `WATCH`, `MULTI` and `EXEC`.
  ///
  /// If `body` throws, the connection is closed, which discards its watches and queued commands. Otherwise it is
  /// reused.
  ///
  /// - Parameter keys: The keys that `body` writes. It is called when no earlier abandoned write of them can arrive any
  ///   more.
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

  /// Ends all connections. Waiting and later calls fail.
  func close() {
    links.close()
    sessions.close()
  }
}

extension RedisCommand {
  fileprivate static let asking = RedisCommand("ASKING", keyIndex: nil, isIdempotent: true)
}
