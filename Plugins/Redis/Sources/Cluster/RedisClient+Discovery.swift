import StrataCore

extension RedisClient {
  /// Asks the servers for the topology.
  func discover() async throws -> Topology {
    if let sentinel = config.sentinel { return .single(try await shard(watchedBy: sentinel)) }
    // Any node of a cluster can answer. Several nodes are called concurrently, so that a node that hangs does not delay
    // all calls.
    let candidates = candidates
    var failure: (any Error)?
    for some in candidates.parts(of: 3) {
      do {
        if let map = try await first(of: some, { try await self.slots(reportedBy: $0) }) {
          return .cluster(map)
        }
        return .single(try await single())
      } catch {
        // A server's refusal is more informative than another server's silence.
        if failure == nil || (error as? StorageError)?.isAboutConnection == false { failure = error }
      }
    }
    throw failure ?? StorageError.unusable("a Redis configuration needs at least one address")
  }

  /// Returns the first answer of several servers. If none answers, throws the error of one of them.
  func first<Answer: Sendable>(
    of addresses: ArraySlice<RedisAddress>, _ ask: @escaping @Sendable (RedisAddress) async throws -> Answer
  ) async throws -> Answer {
    try await withThrowingTaskGroup(of: Result<Answer, any Error>.self) { group in
      for address in addresses { group.addTask { await Result { try await ask(address) } } }
      var failure: any Error = StorageError.backendFailed
      for try await result in group {
        do {
          let answer = try result.get()
          group.cancelAll()
          return answer
        } catch {
          if !(error is CancellationError) { failure = error }
        }
      }
      throw failure
    }
  }

  private func ask(_ address: RedisAddress, _ command: RedisCommand) async throws -> RESPValue {
    try await node(Place(address: address)).send(command, deadline: config.timeout / 2)
  }

  /// Returns the slots of a node's cluster; `nil` if the server is not in a cluster.
  private func slots(reportedBy address: RedisAddress) async throws -> SlotMap? {
    let shards = try await ask(address, RedisCommand("CLUSTER", "SHARDS", keyIndex: nil, isIdempotent: true))
    guard let refusal = shards.failure else {
      return try map(SlotMap(shards: shards, isSecure: config.tls != nil, by: address), of: address)
    }
    if refusal.message.contains("cluster support disabled") { return nil }
    // Nodes before Redis 7 have only the other command. A user who may run neither is assumed to use a single server.
    let slots = try await ask(address, RedisCommand("CLUSTER", "SLOTS", keyIndex: nil, isIdempotent: true))
    guard let refusal = slots.failure else { return try map(SlotMap(slots: slots, by: address), of: address) }
    if refusal.message.contains("cluster support disabled") || ["NOPERM", "ERR"].contains(refusal.code) {
      return nil
    }
    throw StorageError.refusal(refusal, by: address)
  }

  private func map(_ map: SlotMap?, of address: RedisAddress) throws -> SlotMap {
    guard let map else {
      throw StorageError.backendFailed.with(
        "the server's description of its cluster cannot be parsed", place: address.description)
    }
    // A node that has just started or is isolated reports no shards: ask another node.
    guard !map.shards.isEmpty else {
      throw StorageError.backendFailed.with(
        "the server is a node of a cluster that serves no slots yet", place: address.description)
    }
    return map
  }

  /// Returns the single server. Of several, returns the primary, with the others as replicas.
  private func single() async throws -> SlotMap.Shard {
    let addresses = config.addresses
    if addresses.count == 1 && !config.readsFromReplicas {
      return SlotMap.Shard(primary: addresses[0], replicas: [])
    }
    return try await first(of: addresses[...]) { try await self.shard(of: $0) }
  }

  /// Returns a primary and its replicas. Throws if the server is not a primary.
  func shard(of address: RedisAddress) async throws -> SlotMap.Shard {
    let role = try await ask(address, RedisCommand("ROLE", keyIndex: nil, isIdempotent: true))
    if let refusal = role.failure { throw StorageError.refusal(refusal, by: address) }
    guard let parts = role.elements, parts.count >= 3, parts[0].text == "master" else {
      throw StorageError.readOnly(address)
    }
    let replicas = (parts[2].elements ?? []).compactMap { replica -> RedisAddress? in
      guard let parts = replica.elements, parts.count >= 2, let port = parts[1].integer.flatMap(UInt16.init)
      else { return nil }
      return RedisAddress(reported: parts[0].text, port: port, by: address)
    }
    return SlotMap.Shard(primary: address, replicas: replicas)
  }
}
