import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataRedis

/// A store on a cluster whose slots do not move.
@Suite(.timeLimit(.minutes(10))) struct ShardingTests {
  /// A node that serves all slots except the slot of "foo". It is started with the first test, since it takes two
  /// seconds until it serves any slot.
  private static let almostWhole = Task {
    let server = try await RedisServer(["--cluster-enabled", "yes", "--cluster-require-full-coverage", "no"])
    for slots in [0...12_181, 12_183...16_383] { try await server.addSlots(slots) }
    return server
  }

  init() {
    _ = Self.almostWhole
    RedisServers.prepare()
  }

  private func store(_ cluster: RedisServers, readsFromReplicas: Bool = false) throws -> RedisStorage<String>
  {
    try RedisStorage(
      config: cluster.config(readsFromReplicas: readsFromReplicas), namespace: UUID().uuidString)
  }

  @Test func entriesSpreadOverAllPrimaries() async throws {
    let cluster = try await RedisServers.shared.value
    let store = try store(cluster)
    let objects = Dictionary(uniqueKeysWithValues: (0..<3000).map { ("\($0)", text("value \($0)")) })
    try await store.setObjects(objects, expiry: nil)
    for node in cluster.primaries {
      let keys = try await node.run("KEYS", "\(store.namespace.name)::*")
      guard case .array(let keys) = keys else { throw CannotStart(reason: "\(keys)") }
      #expect(keys.count > 700)
    }
    #expect(try await store.entries(forKeys: Array(objects.keys)).mapValues(\.object) == objects)
    #expect(try await Set(store.keys()) == Set(objects.keys))
    try await store.removeObjects(forKeys: (0..<2999).map { "\($0)" })
    #expect(try await store.keys() == ["2999"])
    try await store.removeAll()
    #expect(try await store.keys().isEmpty)
  }

  @Test func aListIsNotOverwritten() async throws {
    let cluster = try await RedisServers.shared.value
    let store = try store(cluster)
    let node = try await cluster.primary(of: KeySlot(of: store.namespace.prefix + "list".utf8).number)
    try await node.run("RPUSH", "\(store.namespace.name)::list", "element")
    for (size, expiry) in [(1, Expiry.never), (1, .date(Date() + 100)), (5 << 20, .never)] {
      let objects = ["list": large(size), "a": text("x"), "b": text("y")]
      let batch = await failure { try await store.setObjects(objects, expiry: expiry) }
      #expect(batch == .malformedFileAttributes)
      #expect(batch?.key as? String == "list")
      let single = await failure { try await store.setObject(large(size), forKey: "list", expiry: expiry) }
      #expect(single == .malformedFileAttributes)
    }
    #expect(try await node.run("LLEN", "\(store.namespace.name)::list") == .integer(1))
    try await node.run("UNLINK", "\(store.namespace.name)::list")
  }

  @Test func aNamespaceInBracesIsKeptOnOneNode() async throws {
    let cluster = try await RedisServers.shared.value
    let store = try RedisStorage<String>(config: cluster.config(), namespace: "{cart}")
    try await store.setObjects(
      Dictionary(uniqueKeysWithValues: (0..<100).map { ("\($0) {x}", text("x")) }), expiry: nil)
    let primary = try await cluster.primary(of: KeySlot(of: Array("cart".utf8)).number)
    guard case .array(let keys) = try await primary.run("KEYS", "{cart}::*") else {
      throw CannotStart(reason: "no keys")
    }
    #expect(keys.count == 100)
    try await store.removeAll()
    #expect(try await store.keys().isEmpty)
  }

  @Test func updatesAreAtomic() async throws {
    let cluster = try await RedisServers.shared.value
    let stores = try (0..<3).map { _ in
      try RedisStorage<String>(config: cluster.config(timeout: .seconds(30)), namespace: "updates")
    }
    let keys = (0..<6).map { "count \($0)" }
    for key in keys { try await stores[0].setObject(text("0"), forKey: key) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for store in stores {
        for key in keys {
          group.addTask {
            for _ in 0..<10 {
              try await store.update(forKey: key) { value in
                value = text("\((Int(String(decoding: value, as: UTF8.self)) ?? 0) + 1)")
              }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    for key in keys { #expect(try await stores[0].object(forKey: key) == text("30")) }
  }

  @Test func replicasAnswerReadsIfConfigured() async throws {
    // Nodes exchange the state of their replicas once in half of this timeout.
    let cluster = try await SpareClusters.shared.take(timeout: 5000)
    let writer = try store(cluster)
    let objects = Dictionary(uniqueKeysWithValues: (0..<60).map { ("\($0)", text("value \($0)")) })
    try await writer.setObjects(objects, expiry: nil)
    for node in cluster.primaries { try await node.untilReplicated() }
    func reads(_ nodes: ArraySlice<RedisServer>) async throws -> Int {
      var count = 0
      for node in nodes {
        let stats = try await node.run("INFO", "commandstats").text ?? ""
        let line = stats.split(separator: "\r\n").first { $0.hasPrefix("cmdstat_get:calls=") }
        count += line.flatMap { Int($0.dropFirst(18).prefix { $0 != "," }) } ?? 0
      }
      return count
    }
    let config = cluster.config(readsFromReplicas: true)
    let early = RedisClient(config: config, replicaLife: .milliseconds(20)) {
      RedisNode(address: $0, config: config, greeting: $1)
    }
    let first = try RedisStorage<String>(client: early, namespace: writer.namespace.name)
    _ = try await first.objectIfPresent(forKey: "x")
    // Nodes learn only gradually that others have replicas in sync.
    try await cluster.until { node in
      if RedisServer.isBefore7 {
        let slots = try await node.run("CLUSTER", "SLOTS")
        return cluster.nodes.allSatisfy { node in slots.leaves.contains { $0 == .integer(node.port) } }
      }
      let shards = try await node.run("CLUSTER", "SHARDS")
      return shards.leaves.filter { $0 == .bulk(text("online")) }.count == 6
    }
    // A client that asked for the topology earlier also gets to know the replicas.
    try await eventually {
      _ = try await first.objectIfPresent(forKey: "x")
      return try await early.known().topology.addresses.count == 6
    }
    early.close()
    let reader = try RedisStorage<String>(config: config, namespace: writer.namespace.name)
    _ = try await reader.objectIfPresent(forKey: "x")
    for node in cluster.nodes { try await node.run("CONFIG", "RESETSTAT") }
    for (key, value) in objects { #expect(try await reader.object(forKey: key) == value) }
    #expect(try await reader.entries(forKeys: Array(objects.keys)).count == 60)
    // A replica that was not ready for a moment has left its reads to its primary.
    let asked = try await reads(cluster.replicas)
    #expect(asked > 0)
    #expect(try await asked + reads(cluster.primaries) >= 120)
    // Writes still go to the primaries.
    try await reader.setObject(text("new"), forKey: "0")
    try await reader.update(forKey: "0") { $0 += text("er") }
    #expect(try await writer.object(forKey: "0") == text("newer"))
    // When replicas are gone, their primaries answer reads.
    for replica in cluster.replicas { replica.kill() }
    for (key, value) in objects where key != "0" { #expect(try await reader.object(forKey: key) == value) }
    #expect(try await reader.entries(forKeys: Array(objects.keys)).count == 60)
  }

  @Test(.enabled(if: !RedisServer.isBefore7, "an older server has no other way, so all tests show it"))
  func slotsAreReadByTheCommandOfOlderServers() async throws {
    let cluster = try await RedisServers.shared.value
    for node in cluster.nodes {
      try await node.run("ACL", "SETUSER", "old", "on", "nopass", "~*", "+@all", "-cluster|shards")
    }
    var config = cluster.config()
    config.user = "old"
    config.password = ""
    let store = try RedisStorage<String>(config: config, namespace: "old")
    for number in 0..<100 { try await store.setObject(text("\(number)"), forKey: "\(number)") }
    #expect(try await store.keys().count == 100)
  }

  @Test func aNodeWithoutSlotsIsAnError() async throws {
    let server = try await RedisServer(["--cluster-enabled", "yes"])
    let store = try RedisStorage<String>(
      config: RedisConfig(addresses: [server.address], timeout: .seconds(1)), namespace: "s")
    let error = await failure { try await store.object(forKey: "key") }
    #expect(error == .backendFailed)
    #expect(error?.message.contains("serves no slots") == true)
    #expect(error?.place == server.address.description)
  }

  @Test func unassignedSlotsFailUntilTheyAreAssigned() async throws {
    let server = try await Self.almostWhole.value
    try await eventually {
      try await server.run("CLUSTER", "INFO").text?.contains("cluster_state:ok") == true
    }
    let config = RedisConfig(addresses: [server.address], timeout: .milliseconds(800))
    let store = try RedisStorage<String>(config: config, namespace: "{foo}")
    let start = ContinuousClock.now
    async let reading = failure { try await store.object(forKey: "key") }
    async let writing = failure { try await store.setObjects(["a": text("a"), "b": text("b")], expiry: nil) }
    async let updating = failure { try await store.update(forKey: "key") { $0 = text("x") } }
    for error in await [reading, writing, updating] {
      #expect(error == .backendFailed)
      #expect((error?.cause as? RedisReplyError)?.code == "CLUSTERDOWN", "\(String(describing: error))")
    }
    #expect(ContinuousClock.now - start < .seconds(15))
    // A call with more time waits until a node serves the slot.
    let waiting = try RedisStorage<String>(
      config: RedisConfig(addresses: [server.address], timeout: .seconds(20)), namespace: "{foo}")
    let other = try RedisStorage<String>(client: waiting.client, namespace: "{bar}")
    try await other.setObject(text("x"), forKey: "key")
    async let written: Void = waiting.setObject(text("late"), forKey: "key")
    try await server.run("CLUSTER", "ADDSLOTS", "12182")
    try await written
    #expect(try await waiting.object(forKey: "key") == text("late"))
  }
}
