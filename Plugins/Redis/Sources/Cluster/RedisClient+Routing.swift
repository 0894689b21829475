import StrataCore

extension RedisClient {
  /// The destination of a command.
  struct Route: Hashable, Sendable {
    var place: Place
    /// Whether the slot is being moved to the server, which requires `ASKING`.
    var isAsking = false
  }

  /// The next action after a reply or a failure.
  enum Verdict {
    /// None: the reply or failure is the result.
    case final
    /// Repeat the command; with `pauses`, after a pause and another discovery of the topology.
    case again(pauses: Bool)
    /// Repeat the command at another destination.
    case detour(Route)
  }

  /// Returns the server of a key; `nil` if there is none at present.
  ///
  /// - Parameter reads: Whether a replica may answer, if the configuration allows it.
  @inline(never)
  func route(of key: ArraySlice<UInt8>?, reads: Bool, in known: Known) -> Route? {
    guard let shard = known.topology.shard(of: key) else { return nil }
    if reads && config.readsFromReplicas {
      refreshReplicas(known)
      if shard.replicas.isEmpty { return Route(place: Place(address: shard.primary)) }
      return Route(place: Place(address: shard.replicas[turn() % shard.replicas.count], isReplica: true))
    }
    return Route(place: Place(address: shard.primary))
  }

  /// Whether another server may take over from a failed one.
  func canMove(in known: Known) -> Bool {
    known.topology.isCluster || config.addresses.count > 1 || config.sentinel != nil
  }

  /// Returns the action after a reply.
  ///
  /// Never inlined, like `route`, `again`, `known` and `refreshed`: each loop of attempts would hold a copy of them,
  /// together 115 kB.
  @inline(never)
  func verdict(on reply: RESPValue, from route: Route, in known: Known) -> Verdict {
    guard let refusal = reply.failure else { return .final }
    if let redirect = Redirect(refusal, asked: route.place.address), known.topology.isCluster {
      switch redirect.reason {
      case .ask: return .detour(Route(place: Place(address: redirect.address), isAsking: true))
      case .moved:
        learn(redirect)
        return .again(pauses: false)
      }
    }
    // The replica is not ready: send the command to its primary.
    if route.place.isReplica, let primary = known.topology.primary(of: route.place.address) {
      return ["LOADING", "MASTERDOWN", "CLUSTERDOWN"].contains(refusal.code)
        ? .detour(Route(place: Place(address: primary))) : .final
    }
    guard refusal.mayPass else { return .final }
    // The address may lead to another server by now: reconnect.
    if refusal.code == "READONLY", !canMove(in: known) { renew(route.place) }
    return .again(pauses: true)
  }

  /// Returns the action after a call without a reply.
  @inline(never)
  func verdict(on error: any Error, from route: Route, isIdempotent: Bool, in known: Known) -> Verdict {
    guard (error as? StorageError)?.mayPass(isIdempotent: isIdempotent) == true else { return .final }
    if route.place.isReplica, let primary = known.topology.primary(of: route.place.address) {
      refresh(known.version)
      return .detour(Route(place: Place(address: primary)))
    }
    return .again(pauses: true)
  }
}

extension Topology {
  /// Returns the primary of a replica.
  fileprivate func primary(of replica: RedisAddress) -> RedisAddress? {
    switch self {
    case .single(let shard): shard.primary
    case .cluster(let map): map.shards.first { $0.replicas.contains(replica) }?.primary
    }
  }
}
