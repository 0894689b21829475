#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
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
  }

  /// Sends a command and waits for the reply; a server's refusal is a reply too, `.error`.
  ///
  /// Throws `.backendFailed` with a `RedisConnectionError` as cause if no reply comes, and `CancellationError` if the task is
  /// cancelled.
  func send(_ command: RedisCommand, deadline: Duration? = nil) async throws -> RESPValue {
    throw StorageError.backendFailed
  }

  /// Sends commands in one go, in order, on one connection, and waits for all replies, also in order.
  ///
  /// - Parameter asking: Sends `ASKING` before each, for a slot that is on its way to this node.
  func send(_ commands: [RedisCommand], asking: Bool = false, deadline: Duration? = nil) async throws
    -> [RESPValue]
  {
    throw StorageError.backendFailed
  }

  /// Lends a connection that nobody else uses meanwhile, for `WATCH`, `MULTI` and `EXEC`.
  ///
  /// If `body` throws, the connection is closed, and with it goes what it watched or queued; otherwise the next caller gets it.
  func exclusive<R: Sendable>(_ body: (RedisSession) async throws -> R) async throws -> R {
    throw StorageError.backendFailed
  }

  /// Ends all connections. Calls that wait, and all later ones, fail.
  func close() {}
}

/// A connection that one caller has to itself.
struct RedisSession: Sendable {
  /// Sends commands in one go and waits for all replies. Nothing is ever sent twice.
  func send(_ commands: [RedisCommand], deadline: Duration? = nil) async throws -> [RESPValue] {
    throw StorageError.backendFailed
  }
}
