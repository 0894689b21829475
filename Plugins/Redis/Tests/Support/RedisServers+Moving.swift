import Foundation
import TestSupport

extension RedisServers {
  /// A slot that is being moved between two nodes, key by key, as the cluster's tools do it.
  struct Move {
    let slot: String
    let source: RedisServer
    let target: RedisServer
    fileprivate let cluster: RedisServers
    fileprivate let identity: String
  }

  /// Tells both nodes that a slot is moving to another primary. Its keys stay for now.
  func beginMove(of slot: Int) async throws -> Move {
    let source = try await primary(of: slot)
    guard let target = primaries.first(where: { $0 !== source }) else {
      throw CannotStart(reason: "one node alone")
    }
    let from = try await source.run("CLUSTER", "MYID").text ?? ""
    let to = try await target.run("CLUSTER", "MYID").text ?? ""
    try await target.run("CLUSTER", "SETSLOT", "\(slot)", "IMPORTING", from)
    try await source.run("CLUSTER", "SETSLOT", "\(slot)", "MIGRATING", to)
    return Move(slot: "\(slot)", source: source, target: target, cluster: self, identity: to)
  }
}

extension RedisServers.Move {
  /// Moves up to `count` of the keys that are still at the source. Returns `false` if none are left.
  func moveKeys(_ count: Int) async throws -> Bool {
    guard case .array(let keys) = try await source.run("CLUSTER", "GETKEYSINSLOT", slot, "\(count)"),
      !keys.isEmpty
    else { return false }
    for key in keys {
      try await source.run(
        "MIGRATE", "127.0.0.1", "\(cluster.innerPort(of: target))", key.text ?? "", "0", "5000")
    }
    return true
  }

  /// Moves the remaining keys, and tells all nodes the new owner of the slot.
  func finish() async throws {
    while try await moveKeys(100) {}
    for node in [target, source] + cluster.nodes where node.isRunning {
      try await node.run("CLUSTER", "SETSLOT", slot, "NODE", identity)
    }
  }
}
