import Foundation
import TestSupport
import Testing

@testable import StrataRedis

extension RedisNode {
  /// Creates a node for a loopback port.
  convenience init(
    port: Int, _ change: (inout RedisConfig) -> Void = { _ in }, greeting: [RedisCommand] = [],
    onPush: (@Sendable (RESPValue) -> Void)? = nil, onLinkChange: (@Sendable (LinkChange) -> Void)? = nil
  ) {
    var config = RedisConfig()
    // Longer than any test: tests wait for events, never for timeouts.
    config.timeout = .seconds(60)
    config.connectTimeout = .seconds(60)
    config.heartbeat = .seconds(60)
    change(&config)
    self.init(
      address: RedisAddress(host: "127.0.0.1", port: UInt16(port)), config: config, greeting: greeting,
      onPush: onPush, onLinkChange: onLinkChange)
  }

  func get(_ key: String) async throws -> RESPValue {
    try await send(RedisCommand("GET", .text(key), isIdempotent: true))
  }

  /// Repeats a command until there is a connection again, and returns the reply.
  func sendWhenItIsBack(_ command: RedisCommand) async throws -> RESPValue {
    try await eventually {
      do { return try await send(command) } catch let error as StorageError {
        if case .unreachable? = error.cause as? RedisConnectionError { throw error }
        throw NeverCame(reason: error)
      }
    }
  }
}

extension RedisConnectionError {
  /// The case of the error, without the reason.
  var kind: String? { Mirror(reflecting: self).children.first?.label }
}

/// Returns the connection error of `body`. Records an issue if it succeeds, or throws another error.
func connectionError(
  sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> some Sendable
) async -> RedisConnectionError? {
  do {
    let reply = try await body()
    Issue.record("a reply came: \(reply)", sourceLocation: sourceLocation)
  } catch let error as StorageError where error == .backendFailed {
    if let cause = error.cause as? RedisConnectionError { return cause }
    Issue.record("another cause: \(error)", sourceLocation: sourceLocation)
  } catch { Issue.record("another error: \(error)", sourceLocation: sourceLocation) }
  return nil
}

extension RESPValue: ExpressibleByStringLiteral {
  /// Creates a bulk string from text.
  public init(stringLiteral text: String) { self = .bulk(Data(text.utf8)) }
}
