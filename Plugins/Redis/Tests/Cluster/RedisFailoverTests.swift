import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataRedis

/// A store whose primary fails and is replaced by its replica.
@Suite(.timeLimit(.minutes(10)), .serialized) struct RedisFailoverTests {
  init() { RedisServers.prepare() }

  /// How a primary fails.
  enum Fall: CaseIterable { case killed, frozen }

  /// Tests two clusters concurrently, since most of the time is spent waiting.
  @Test func aReplicaReplacesAKilledOrFrozenPrimary() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for fall in Fall.allCases { group.addTask { try await replaces(fall) } }
      try await group.waitForAll()
    }
  }

  private func replaces(_ fall: Fall) async throws {
    let cluster = try await SpareClusters.shared.take(timeout: 1000)
    // A call to a node that hangs is repeated after half of its time, and a write fails after all of it.
    let store = try RedisStorage<String>(config: cluster.config(timeout: .seconds(3)), namespace: "s")
    let patient = try RedisStorage<String>(config: cluster.config(timeout: .seconds(30)), namespace: "s")
    let before = Dictionary(uniqueKeysWithValues: (0..<100).map { ("\($0)", text("before")) })
    try await patient.setObjects(before, expiry: nil)
    for node in cluster.primaries { try await node.untilReplicated() }

    let isDone = Shared(false)
    let fallen = cluster.nodes[1]
    let acknowledged = try await withThrowingTaskGroup(of: [String: Int].self) { group in
      for writer in 0..<4 {
        group.addTask {
          var acknowledged: [String: Int] = [:]
          var round = 0
          while !isDone.value {
            let key = "writer \(writer) \(round % 50)"
            let start = ContinuousClock.now
            do {
              try await store.setObject(text("\(round)"), forKey: key)
              acknowledged[key] = round
            } catch is StorageError {
              // The error says that it may have been executed: the value of this key is unknown now.
              acknowledged[key] = nil
            }
            #expect(ContinuousClock.now - start < .seconds(30), "a call took longer than it may")
            round += 1
          }
          return acknowledged
        }
      }
      group.addTask {
        defer { isDone.change { $0 = true } }
        if fall == .killed { fallen.kill() } else { fallen.freeze() }
        // The keys of the failed node can be read and written again, and all replicated values are there.
        for (key, value) in before {
          #expect(try await eventually { try await store.object(forKey: key) } == value)
        }
        for key in before.keys {
          try await eventually { try await store.setObject(text("after"), forKey: key) }
        }
        return [:]
      }
      return try await group.reduce(into: [:]) { $0.merge($1) { $1 } }
    }
    #expect(
      try await patient.entries(forKeys: Array(before.keys)).values.allSatisfy { $0.object == text("after") })
    #expect(try await cluster.nodes[4].run("ROLE") != .null)
    // Acknowledged values of the running nodes are there; values of the failed node may not have been replicated.
    let found = try await patient.entries(forKeys: Array(acknowledged.keys)).mapValues(\.object)
    let map = try await store.client.known()
    for (key, round) in acknowledged {
      let slot = KeySlot(of: Array("s::\(key)".utf8))
      guard case .cluster(let slots) = map.topology, let primary = slots[slot]?.primary else { continue }
      if primary != cluster.nodes[4].address { #expect(found[key] == text("\(round)"), "\(key)") }
    }
    if fall == .frozen {
      // The frozen primary resumes as a demoted one, which no client uses.
      fallen.thaw()
      for key in before.keys { #expect(try await store.object(forKey: key) == text("after")) }
      let late = try RedisStorage<String>(
        config: RedisConfig(addresses: [fallen.address], timeout: .seconds(8)), namespace: "s")
      try await late.setObject(text("late"), forKey: "0")
      #expect(try await store.object(forKey: "0") == text("late"))
    }
  }

  @Test func thePrimaryIsFoundAmongServersWithoutACluster() async throws {
    let first = try await RedisServer(["--repl-diskless-sync-delay", "0"])
    let second = try await RedisServer(["--repl-diskless-sync-delay", "0"])
    try await second.run("REPLICAOF", "127.0.0.1", "\(first.port)")
    try await eventually { try await first.run("INFO", "replication").text?.contains("state=online") == true }
    let store = try RedisStorage<String>(
      config: RedisConfig(
        addresses: [second.address, first.address], timeout: .seconds(20), readsFromReplicas: true),
      namespace: "s")
    try await store.setObject(text("one"), forKey: "key")
    #expect(try await first.run("EXISTS", "s::key") == .integer(1))
    try await first.untilReplicated()
    #expect(try await store.object(forKey: "key") == text("one"))
    #expect(try await first.run("INFO", "commandstats").text?.contains("cmdstat_get:") == false)
    // The two servers swap their roles.
    try await second.run("REPLICAOF", "NO", "ONE")
    try await first.run("REPLICAOF", "127.0.0.1", "\(second.port)")
    try await store.setObject(text("two"), forKey: "key")
    #expect(try await second.run("GET", "s::key") == .bulk(text("two")))
    try await store.setObjects(["a": text("a"), "b": text("b")], expiry: nil)
    try await store.update(forKey: "key") { $0 += text("!") }
    // The old primary is killed.
    first.kill()
    try await store.setObject(text("three"), forKey: "key")
    #expect(try await store.object(forKey: "key") == text("three"))
  }
}
