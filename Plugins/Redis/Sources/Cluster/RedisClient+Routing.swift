import StrataCore

extension RedisClient {
  /// Where a command goes next.
  struct Route: Hashable, Sendable {
    var place: Place
    /// Whether the server has the slot only on its way, and has to be told that we know.
    var isAsking = false
  }

  /// What is to be done after a reply, or after none.
  enum Verdict {
    /// Nothing: that is the answer.
    case final
    /// The same again. `pauses`: after a moment, and after the servers were asked what has changed.
    case again(pauses: Bool)
    /// The same again, but there.
    case detour(Route)
  }

  /// The server that serves a key; `nil` if none does at present.
  ///
  /// - Parameter reads: Whether a replica may answer, if the configuration says so.
  func route(of key: ArraySlice<UInt8>?, reads: Bool, in known: Known) -> Route? {
    guard let shard = known.topology.shard(of: key) else { return nil }
    if reads && config.readsFromReplicas {
      refreshReplicas(known)
      if shard.replicas.isEmpty { return Route(place: Place(address: shard.primary)) }
      return Route(place: Place(address: shard.replicas[turn() % shard.replicas.count], isReplica: true))
    }
    return Route(place: Place(address: shard.primary))
  }

  /// Whether another server may take over what one does not do.
  func canMove(in known: Known) -> Bool {
    known.topology.isCluster || config.addresses.count > 1 || config.sentinel != nil
  }

  /// What a reply means for the call.
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
    // A replica that is not ready leaves the call to its primary.
    if route.place.isReplica, let primary = known.topology.primary(of: route.place.address) {
      return ["LOADING", "MASTERDOWN", "CLUSTERDOWN"].contains(refusal.code)
        ? .detour(Route(place: Place(address: primary))) : .final
    }
    guard refusal.mayPass else { return .final }
    // Behind one address there may be another server by now.
    if refusal.code == "READONLY", !canMove(in: known) { renew(route.place) }
    return .again(pauses: true)
  }

  /// What the failure to get a reply means for a call.
  func verdict(on error: any Error, from route: Route, isIdempotent: Bool, in known: Known) -> Verdict {
    guard (error as? StorageError)?.mayPass(isIdempotent: isIdempotent) == true else { return .final }
    if route.place.isReplica, let primary = known.topology.primary(of: route.place.address) {
      doubt(known.version)
      return .detour(Route(place: Place(address: primary)))
    }
    return .again(pauses: true)
  }
}

extension Topology {
  /// The primary that a replica follows.
  fileprivate func primary(of replica: RedisAddress) -> RedisAddress? {
    switch self {
    case .single(let shard): shard.primary
    case .cluster(let map): map.shards.first { $0.replicas.contains(replica) }?.primary
    }
  }
}
