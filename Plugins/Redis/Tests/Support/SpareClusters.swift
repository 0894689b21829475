import StrataCore
import TestSupport

/// Clusters whose nodes a test may kill. They are started before a test needs them.
final class SpareClusters: Sendable {
  static let shared = SpareClusters()
  /// The number of clusters that the tests take.
  private static let uses = 4

  private struct State {
    var spares = FIFO<Task<RedisServers, any Error>>()
    var started = 0
  }

  private let state = Locked(State())

  /// Starts clusters, until two are waiting or all that are needed have been started.
  func prepare() {
    state.withLock { state in
      while state.spares.count < 2, state.started < Self.uses {
        state.started += 1
        state.spares.append(Task { try await RedisServers() })
      }
    }
  }

  /// Returns a cluster whose nodes may be killed.
  ///
  /// - Parameter timeout: The milliseconds after which a silent node counts as failed, from now on.
  func take(timeout: Int) async throws -> RedisServers {
    let spare = state.withLock { $0.spares.popFirst() }
    prepare()
    let cluster: RedisServers
    if let spare { cluster = try await spare.value } else { cluster = try await RedisServers() }
    for node in cluster.nodes {
      try await node.run("CONFIG", "SET", "cluster-node-timeout", "\(timeout)")
    }
    return cluster
  }
}
