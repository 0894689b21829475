import StrataCore

extension RedisClient {
  /// Does idempotent commands on one server, which is none of a cluster, as a whole or not at all.
  ///
  /// Many of them take a connection of their own, so that the calls of others do not wait behind them, and `config.timeout` for each
  /// thousand.
  func sendWhole(_ commands: [RedisCommand]) async throws -> [RESPValue] {
    let all = [.begin] + commands + [.end]
    if all.count <= Self.batchSize { return try await send(all) }
    guard let route = route(of: nil, reads: false, in: try await known()) else {
      throw StorageError.unserved(config.addresses.first)
    }
    let node = try node(route.place)
    let deadline = config.timeout * (1 + all.count / Self.batchSize)
    do {
      return try await node.exclusive { try await $0.send(all, deadline: deadline) }
    } catch let error as StorageError {
      guard case .lost? = error.cause as? RedisConnectionError else { throw error }
      return try await node.exclusive { try await $0.send(all, deadline: deadline) }
    }
  }
}
