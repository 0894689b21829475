import Foundation
import StrataCore
import TestSupport

/// A real cluster of six servers: three primaries with a third of the slots each, and a replica of each.
final class RedisServers: Sendable {
  /// The initial primaries, and then their replicas in the same order.
  let nodes: [RedisServer]
  private let security: Certificates?

  /// A cluster for all tests that kill none of its nodes. Its slots may be anywhere, since some tests move them.
  static let shared = Task { try await RedisServers() }

  /// A cluster that uses TLS.
  static let secured = Task { try await RedisServers(security: Certificates.all.value) }

  /// Starts the clusters of all tests: a node takes two seconds until it serves its slots, which would be most of the
  /// time of many tests. The second process of a test uses the clusters of the first.
  static func prepare() {
    if isSecondProcess { return }
    _ = (shared, secured)
    SpareClusters.shared.prepare()
  }

  /// Starts a cluster, and waits until it is complete.
  ///
  /// - Parameters:
  ///   - timeout: The milliseconds after which a silent node counts as failed: long, for a busy machine. Tests of
  ///     failovers take a cluster from `SpareClusters`.
  ///   - security: Makes the nodes use TLS among themselves, and for clients at their second ports.
  init(timeout: Int = 15_000, _ options: [String] = [], security: Certificates? = nil) async throws {
    self.security = security
    let options =
      [
        "--cluster-enabled", "yes", "--cluster-config-file", "nodes.conf", "--cluster-node-timeout",
        "\(timeout)",
        "--repl-diskless-sync-delay", "0", "--repl-ping-replica-period", "1",
      ] + options + (security?.node ?? [])
    nodes = try await withThrowingTaskGroup(of: RedisServer.self) { group in
      for _ in 0..<6 { group.addTask { try await RedisServer(options) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    try await join()
  }

  var primaries: ArraySlice<RedisServer> { nodes[..<3] }
  var replicas: ArraySlice<RedisServer> { nodes[3...] }

  /// Returns the node at a port.
  func node(_ port: Int) -> RedisServer? { nodes.first { $0.port == port } }

  /// Returns the port at which other nodes reach a node.
  func innerPort(of node: RedisServer) -> Int { security == nil ? node.port : node.secondPort }

  private func join() async throws {
    let size = 16_384 / 3 + 1
    var identities: [String] = []
    for (index, node) in primaries.enumerated() {
      let last = min(size * (index + 1), 16_384) - 1
      try await node.addSlots(size * index...last)
      // Distinct epochs, which the nodes would otherwise have to negotiate first.
      try await node.run("CLUSTER", "SET-CONFIG-EPOCH", "\(index + 1)")
      identities.append(try await node.run("CLUSTER", "MYID").text ?? "")
    }
    for node in nodes {
      for other in nodes where other !== node {
        try await node.run("CLUSTER", "MEET", "127.0.0.1", "\(innerPort(of: other))")
      }
    }
    try await until { node in
      let known = try await node.run("CLUSTER", "NODES").text ?? ""
      return known.split(separator: "\n").count == 6 && !known.contains("handshake")
    }
    for (index, replica) in replicas.enumerated() {
      try await replica.run("CLUSTER", "REPLICATE", identities[index])
    }
    try await untilWhole()
  }

  /// Waits until all slots are served, all running nodes agree on them, and replicas have their primaries' data.
  func untilWhole() async throws {
    let count = nodes.filter(\.isRunning).count
    try await until { node in
      let info = try await node.run("CLUSTER", "INFO").text ?? ""
      let replication = try await node.run("INFO", "replication").text ?? ""
      let known = try await node.run("CLUSTER", "NODES").text ?? ""
      return info.contains("cluster_state:ok") && info.contains("cluster_slots_ok:16384")
        && !replication.contains("master_link_status:down")
        && !replication.contains("master_sync_in_progress:1")
        && known.split(separator: "\n").filter { $0.contains(" connected") && !$0.contains("fail") }.count
          >= count
    }
  }

  /// Waits until `condition` holds for all running nodes.
  func until(_ condition: (RedisServer) async throws -> Bool) async throws {
    for node in nodes where node.isRunning {
      try await eventually { try await condition(node) }
    }
  }

  /// Returns the primary of a slot, according to a running node.
  func primary(of slot: Int) async throws -> RedisServer {
    for node in nodes where node.isRunning {
      guard case .array(let ranges) = try await node.run("CLUSTER", "SLOTS") else { continue }
      for case .array(let range) in ranges {
        guard case .integer(let first) = range[0], case .integer(let last) = range[1], first...last ~= slot,
          case .array(let place) = range[2], case .integer(let port) = place[1], let found = self.node(port)
        else { continue }
        return found
      }
    }
    throw CannotStart(reason: "no node has the slot \(slot)")
  }
}

extension RedisServer {
  /// Assigns slots to a node, also before Redis 7, which has no command for ranges.
  func addSlots(_ slots: ClosedRange<Int>) async throws {
    let (port, words) = (port, ["CLUSTER", "ADDSLOTS"] + slots.map { "\($0)" })
    let reply = try await onThread { try RawRedis(port: port).run(words) }
    guard reply == .simple("OK") else { throw CannotStart(reason: "no slots: \(reply)") }
  }
}
