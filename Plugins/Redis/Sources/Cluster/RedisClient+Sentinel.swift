import StrataCore

extension RedisClient {
  /// Returns the primary that sentinels name, with its replicas if they are used for reads.
  ///
  /// A sentinel may not have detected a failover yet, and name a server that is no longer the primary: then the answer
  /// of another sentinel is used.
  func shard(watchedBy sentinel: RedisSentinel) async throws -> SlotMap.Shard {
    guard !sentinel.addresses.isEmpty else {
      throw StorageError.unusable(
        "a Redis configuration with sentinels needs at least one address of a sentinel")
    }
    return try await first(of: sentinel.addresses[...]) { address in
      let primary = try await self.primary(of: sentinel, toldBy: address)
      var shard = try await self.shard(of: primary)
      if !self.config.readsFromReplicas { shard.replicas = [] }
      return shard
    }
  }

  private func primary(of sentinel: RedisSentinel, toldBy address: RedisAddress) async throws -> RedisAddress
  {
    var own = config
    (own.user, own.password, own.credentials) = (sentinel.user, sentinel.password, nil)
    (own.database, own.connections) = (0, 1)
    let question = RedisCommand(
      "SENTINEL", "GET-MASTER-ADDR-BY-NAME", .text(sentinel.name), keyIndex: nil, isIdempotent: true)
    let reply = try await self.sentinel(address, own).send(question, deadline: config.timeout / 2)
    if let refusal = reply.failure { throw StorageError.refusal(refusal, by: address) }
    guard let parts = reply.elements, parts.count == 2,
      let port = parts[1].integer.flatMap(UInt16.init(exactly:)),
      let primary = RedisAddress(reported: parts[0].text, port: port, by: address)
    else {
      throw StorageError.invalidConfiguration.with(
        "the sentinels monitor no primary with the name \(String(reflecting: sentinel.name))",
        place: address.description)
    }
    return primary
  }
}
