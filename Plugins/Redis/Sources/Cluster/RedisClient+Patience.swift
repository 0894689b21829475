import StrataCore
import StrataNetwork

extension RedisClient {
  /// Returns the known topology. If there is none, requests it from the servers repeatedly while time is left.
  @inline(never)
  func known(_ effort: inout Effort) async throws -> Known {
    if let known = knownAlready { return known }
    while true {
      do { return try await known(after: 0, effort) } catch let error as StorageError {
        guard error.mayPass(isIdempotent: true), try await effort.pause() else { throw error }
      }
    }
  }

  /// Returns the servers' topology.
  func topology() async throws -> Topology {
    if let known = knownAlready { return known.topology }
    var effort = Effort(config.timeout)
    return try await known(&effort).topology
  }

  /// Asks the servers again and returns the topology; returns the previous one if none answers.
  @inline(never)
  func refreshed(_ known: Known, _ effort: Effort) async -> Known {
    do { return try await self.known(after: known.version, effort) } catch { return known }
  }

  /// Like `known(after:)`, but limited by the remaining time.
  private func known(after version: Int, _ effort: Effort) async throws -> Known {
    let waiter = Pending<Known>(deadline: effort.end)
    do {
      return try await waiter.wait(orThrow: RedisConnectionError.timedOut) {
        Task { waiter.finish(await Result { try await self.known(after: version) }) }
      }
    } catch let error as RedisConnectionError {
      throw error.storageError(at: config.servers.first ?? RedisAddress(host: ""))
    }
  }
}

extension StorageError {
  /// Whether a later attempt, or another server, may succeed after this error.
  ///
  /// - Parameter isIdempotent: Whether the command may be executed twice.
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
  /// Whether the error is temporary, and proves that the server has not executed the command.
  var mayPass: Bool { ["TRYAGAIN", "CLUSTERDOWN", "LOADING", "READONLY", "MASTERDOWN"].contains(code) }
}

extension RedisConfig {
  /// The servers from which the topology is requested.
  var servers: [RedisAddress] { sentinel?.addresses ?? addresses }
}
