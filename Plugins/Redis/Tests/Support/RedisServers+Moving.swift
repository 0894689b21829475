import Foundation

extension RedisServers {
  /// A slot on its way from one node to another, key by key, as the tools of a cluster move it.
  struct Move {
    let slot: String
    let source: RedisServer
    let target: RedisServer
    fileprivate let cluster: RedisServers
    fileprivate let identity: String
  }

  /// Tells both nodes that a slot goes to another primary. Its keys stay where they are, as yet.
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
  /// Moves so many of the keys that are still at the source; `false` if there is none left.
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

  /// Moves what is left, and tells all nodes that the slot has a new home.
  func finish() async throws {
    while try await moveKeys(100) {}
    for node in [target, source] + cluster.nodes where node.isRunning {
      try await node.run("CLUSTER", "SETSLOT", slot, "NODE", identity)
    }
  }
}
