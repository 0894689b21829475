import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataRedis

/// A store on a cluster while a slot moves from one node to another.
@Suite(.timeLimit(.minutes(10))) struct SlotMoveTests {
  init() { RedisServers.prepare() }

  @Test func allCallsWorkWhileASlotMoves() async throws {
    let cluster = try await RedisServers.shared.value
    let store = try RedisStorage<String>(config: cluster.config(), namespace: "{half}")
    let objects = Dictionary(uniqueKeysWithValues: (0..<40).map { ("\($0)", text("value \($0)")) })
    try await store.setObjects(objects, expiry: nil)
    let move = try await cluster.beginMove(of: KeySlot(of: Array("half".utf8)).number)
    _ = try await move.moveKeys(20)
    for (key, value) in objects { #expect(try await store.object(forKey: key) == value) }
    #expect(try await store.entries(forKeys: Array(objects.keys) + ["absent"]).mapValues(\.object) == objects)
    #expect(try await Set(store.keys()) == Set(objects.keys))
    #expect(try await store.entryIfPresent(forKey: "absent") == nil)
    let changed = objects.mapValues { $0 + text(", changed") }
    try await store.setObjects(changed, expiry: nil)
    try await store.setObject(text("new"), forKey: "new", expiry: .seconds(1000))
    #expect(try await store.entries(forKeys: Array(objects.keys)).mapValues(\.object) == changed)
    try await store.removeObjects(forKeys: (0..<10).map { "\($0)" })
    try await move.finish()
    #expect(
      try await Set(store.keys()) == Set(objects.keys).subtracting((0..<10).map { "\($0)" }).union(["new"]))
    #expect(try await store.object(forKey: "39") == text("value 39, changed"))
    #expect(try await store.entry(forKey: "new").expiry != .never)
    // The client still has the map from before the move: its next calls are redirected.
    #expect(try await store.client.known().topology.isCluster)
    try await store.removeAll()
    #expect(try await store.keys().isEmpty)
  }

  @Test func anUpdateWaitsUntilItsSlotHasArrived() async throws {
    let cluster = try await RedisServers.shared.value
    let store = try RedisStorage<String>(config: cluster.config(timeout: .seconds(30)), namespace: "{wait}")
    try await store.setObject(text("0"), forKey: "count")
    let move = try await cluster.beginMove(of: KeySlot(of: Array("wait".utf8)).number)
    _ = try await move.moveKeys(1)
    async let updated = store.update(forKey: "count") { $0 += text("1") }
    try await move.finish()
    #expect(try await updated == text("01"))
    #expect(try await store.object(forKey: "count") == text("01"))
  }

  @Test func aCallToAllPrimariesIsRepeatedIfASlotMoves() async throws {
    let cluster = try await RedisServers.shared.value
    let client = RedisClient(config: cluster.config())
    let asked = Shared<[RedisAddress]>([])
    try await client.onPrimaries { node, isCluster in
      #expect(isCluster)
      let isFirst = asked.change { asked in
        asked.append(node.address)
        return asked.count == 1
      }
      if isFirst { try await cluster.beginMove(of: 77).finish() }
    }
    #expect(asked.value.count == 6)
    #expect(Set(asked.value) == Set(cluster.primaries.map(\.address)))
    asked.change { $0 = [] }
    try await client.onPrimaries { node, _ in asked.change { $0.append(node.address) } }
    #expect(asked.value.count == 3)
  }

  @Test func noWriteIsLostWhileASlotMovesBackAndForth() async throws {
    let cluster = try await RedisServers.shared.value
    let config = cluster.config(timeout: .seconds(30))
    let isDone = Shared(false)
    let last = try await withThrowingTaskGroup(of: [String: Data].self) { group in
      for writer in 0..<6 {
        group.addTask {
          let store = try RedisStorage<String>(config: config, namespace: "{fro}")
          var written: [String: Data] = [:]
          var round = 0
          while !isDone.value {
            let keys = (0..<5).map { "writer \(writer) key \($0)" }
            let value = text("\(round)")
            switch round % 4 {
            case 0:
              try await store.setObjects(
                Dictionary(uniqueKeysWithValues: keys.map { ($0, value) }), expiry: nil)
            case 1: try await store.removeObject(forKey: keys[round % 5])
            default: try await store.setObject(value, forKey: keys[round % 5])
            }
            switch round % 4 {
            case 0: for key in keys { written[key] = value }
            case 1: written[keys[round % 5]] = nil
            default: written[keys[round % 5]] = value
            }
            let found = try await store.entries(forKeys: keys).mapValues(\.object)
            #expect(found == written)
            round += 1
          }
          return written
        }
      }
      group.addTask {
        defer { isDone.change { $0 = true } }
        for _ in 0..<4 {
          let move = try await cluster.beginMove(of: KeySlot(of: Array("fro".utf8)).number)
          while try await move.moveKeys(2) {}
          try await move.finish()
        }
        return [:]
      }
      return try await group.reduce(into: [:]) { $0.merge($1) { $1 } }
    }
    let store = try RedisStorage<String>(config: config, namespace: "{fro}")
    #expect(try await store.entries(forKeys: Array(last.keys)).mapValues(\.object) == last)
    #expect(try await Set(store.keys()) == Set(last.keys))
  }

  @Test func aSlotMovesInAClusterWithTLS() async throws {
    let certificates = try await Certificates.all.value
    let cluster = try await RedisServers.secured.value
    let addresses = cluster.nodes[..<2].map {
      RedisAddress(host: "127.0.0.1", port: UInt16($0.secondPort))
    }
    let config = RedisConfig(addresses: addresses, tls: certificates.tls, timeout: .seconds(30))
    let spread = try RedisStorage<String>(config: config, namespace: "spread")
    let store = try RedisStorage<String>(client: spread.client, namespace: "{half}")
    let objects = Dictionary(uniqueKeysWithValues: (0..<100).map { ("\($0)", text("value \($0)")) })
    try await spread.setObjects(objects, expiry: nil)
    try await store.setObjects(objects, expiry: nil)
    let ports = try await Set(spread.client.known().topology.addresses.map { Int($0.port ?? 0) })
    // A replica may not be known to all others yet.
    #expect(ports.isSubset(of: cluster.nodes.map(\.secondPort)) && ports.count >= 3)

    let move = try await cluster.beginMove(of: KeySlot(of: Array("half".utf8)).number)
    _ = try await move.moveKeys(50)
    for (key, value) in objects { #expect(try await store.object(forKey: key) == value) }
    try await move.finish()
    // The client still has the map from before the move, and is redirected.
    for (key, value) in objects { #expect(try await store.object(forKey: key) == value) }
    #expect(try await spread.entries(forKeys: Array(objects.keys)).mapValues(\.object) == objects)
  }
}
