import StrataCore

extension RedisClient {
  /// What is known of the servers. As long as none of them can say, and time is left, they are asked again.
  func known(_ effort: inout Effort) async throws -> Known {
    if let known = knownAlready { return known }
    while true {
      do { return try await known(after: 0, effort) } catch let error as StorageError {
        guard error.mayPass(isIdempotent: true), try await effort.pause() else { throw error }
      }
    }
  }

  /// Which servers there are.
  func topology() async throws -> Topology {
    if let known = knownAlready { return known.topology }
    var effort = Effort(config.timeout)
    return try await known(&effort).topology
  }

  /// What is known after the servers were asked again; the same as before if none of them answers.
  func refreshed(_ known: Known, _ effort: Effort) async -> Known {
    do { return try await self.known(after: known.version, effort) } catch { return known }
  }

  /// The same as `known(after:)`, but no longer than there is time.
  private func known(after version: Int, _ effort: Effort) async throws -> Known {
    let waiter = Pending<Known>(deadline: effort.end)
    EventLoop.shared.schedule(at: effort.end) { [weak waiter] in
      waiter?.finish(.failure(RedisConnectionError.timedOut))
    }
    do {
      return try await waiter.wait {
        Task { waiter.finish(await Result { try await self.known(after: version) }) }
      }
    } catch let error as RedisConnectionError {
      throw error.storageError(at: config.servers.first ?? RedisAddress(host: ""))
    }
  }
}

extension StorageError {
  /// Whether a server that failed so may do it a moment later, or another one in its place.
  ///
  /// - Parameter isIdempotent: Whether what was asked for may be done twice.
  func mayPass(isIdempotent: Bool) -> Bool {
    switch cause {
    case let cause as RedisConnectionError:
      switch cause {
      case .unreachable: true
      case .lost, .timedOut: isIdempotent
      case .refused(let refusal): refusal.code == "LOADING"
      case .closed, .malformedReply: false
      }
    case let cause as RedisReplyError: cause.mayPass
    default: false
    }
  }
}

extension RedisReplyError {
  /// Whether the server says that it cannot do this now, and has not done it.
  var mayPass: Bool { ["TRYAGAIN", "CLUSTERDOWN", "LOADING", "READONLY", "MASTERDOWN"].contains(code) }
}

extension RedisConfig {
  /// The servers that know which there are.
  var servers: [RedisAddress] { sentinel?.addresses ?? addresses }
}
