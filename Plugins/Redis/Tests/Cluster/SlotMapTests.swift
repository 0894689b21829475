import Foundation
import Testing

@testable import StrataRedis

/// The slots of a cluster as its nodes report them, in either format.
@Suite struct SlotMapTests {
  private let reporter = RedisAddress(host: "10.0.0.1", port: 7000)

  private func text(_ text: String) -> RESPValue { .bulk(Data(text.utf8)) }

  private func slot(_ number: Int) throws -> KeySlot { try #require(KeySlot(number: number)) }

  /// Returns a map, as servers with RESP3 send it, or an array, as servers with RESP2 do.
  private func map(_ pairs: [(String, RESPValue)], _ isMap: Bool) -> RESPValue {
    let elements = pairs.flatMap { [text($0.0), $0.1] }
    return isMap ? .map(elements) : .array(elements)
  }

  private func node(
    _ host: String?, _ port: Int?, _ role: String, _ health: String = "online", tls: Int? = nil,
    isMap: Bool = true
  ) -> RESPValue {
    var pairs: [(String, RESPValue)] = [("id", text("0a")), ("ip", text("1.2.3.4"))]
    if let port { pairs.append(("port", .integer(port))) }
    if let tls { pairs.append(("tls-port", .integer(tls))) }
    pairs += [
      ("endpoint", host.map(text) ?? .null), ("role", text(role)), ("replication-offset", .integer(1)),
      ("health", text(health)),
    ]
    return map(pairs, isMap)
  }

  private func shard(_ slots: [Int], _ nodes: [RESPValue], isMap: Bool = true) -> RESPValue {
    map([("slots", .array(slots.map(RESPValue.integer))), ("nodes", .array(nodes))], isMap)
  }

  @Test(arguments: [true, false])
  func isReadFromShards(_ isMap: Bool) throws {
    let reply = RESPValue.array([
      shard(
        [0, 5, 10, 16_383],
        [node("b", 2, "replica", isMap: isMap), node("a", 1, "master", isMap: isMap)], isMap: isMap),
      shard([6, 9], [node(nil, 3, "master", isMap: isMap)], isMap: isMap),
      shard([], [node("d", 4, "master", isMap: isMap)], isMap: isMap),
    ])
    let map = try #require(SlotMap(shards: reply, by: reporter))
    let first = SlotMap.Shard(
      primary: RedisAddress(host: "a", port: 1), replicas: [RedisAddress(host: "b", port: 2)])
    for number in [0, 5, 10, 16_383] { #expect(try map[slot(number)] == first) }
    for number in 6...9 { #expect(try map[slot(number)]?.primary == RedisAddress(host: "10.0.0.1", port: 3)) }
    #expect(map.shards.count == 2)
    #expect(map.isWhole)
  }

  @Test func failedNodesAreLeftOut() throws {
    let reply = RESPValue.array([
      // The failed old primary is listed beside its successor.
      shard(
        [0, 99],
        [node("old", 1, "master", "fail"), node("new", 2, "master"), node("slow", 3, "replica", "loading")]),
      // No node has taken over yet.
      shard([100, 199], [node("dead", 4, "master", "failed"), node("waits", 5, "replica")]),
    ])
    let map = try #require(SlotMap(shards: reply, by: reporter))
    #expect(try map[slot(0)] == SlotMap.Shard(primary: RedisAddress(host: "new", port: 2), replicas: []))
    #expect(try map[slot(100)] == nil)
    #expect(!map.isWhole)
  }

  @Test func theOrderOfTheReplyDoesNotMatter() throws {
    let replicas = [node("d", 4, "replica"), node("b", 2, "replica")]
    let first = shard([0, 9], [node("a", 1, "master")] + replicas)
    let second = shard([10, 19], [node("c", 3, "master")])
    let empty = shard([], [node("e", 5, "master")])
    let map = try #require(SlotMap(shards: .array([first, second]), by: reporter))
    let other = shard([0, 9], replicas.reversed() + [node("a", 1, "master")])
    #expect(SlotMap(shards: .array([empty, second, other]), by: reporter) == map)
    #expect(SlotMap(shards: .array([second]), by: reporter) != map)
    #expect(SlotMap(shards: .array([shard([0, 9], [node("a", 1, "master")]), second]), by: reporter) != map)
  }

  @Test func portsForTLSAreRead() throws {
    let reply = RESPValue.array([
      shard([0, 1], [node("a", 1, "master", tls: 2)]), shard([2, 3], [node("b", nil, "master", tls: 3)]),
    ])
    let plain = try #require(SlotMap(shards: reply, by: reporter))
    let secure = try #require(SlotMap(shards: reply, isSecure: true, by: reporter))
    #expect(try [plain, secure].map { try $0[slot(0)]?.primary.port } == [1, 2])
    #expect(try [plain, secure].map { try $0[slot(2)]?.primary.port } == [3, 3])
  }

  @Test func isReadFromSlots() throws {
    func node(_ host: RESPValue, _ port: Int) -> RESPValue {
      .array([host, .integer(port), text("id"), .array([])])
    }
    let reply = RESPValue.array([
      .array([.integer(0), .integer(5460), node(text("a"), 1), node(text(""), 2)]),
      .array([.integer(5461), .integer(16_383), node(.null, 3)]),
    ])
    let map = try #require(SlotMap(slots: reply, by: reporter))
    #expect(
      try map[slot(5460)]
        == SlotMap.Shard(
          primary: RedisAddress(host: "a", port: 1), replicas: [RedisAddress(host: "10.0.0.1", port: 2)]))
    #expect(try map[slot(5461)]?.primary == RedisAddress(host: "10.0.0.1", port: 3))
    #expect(map.isWhole)
  }

  @Test func malformedRepliesAreRefused() {
    for reply: RESPValue in [
      .null, .simple("OK"), .array([.integer(1)]), .array([.array([.integer(0), .integer(1)])]),
      .array([.array([.integer(5), .integer(4), .array([text("a"), .integer(1)])])]),
      .array([.array([.integer(0), .integer(16_384), .array([text("a"), .integer(1)])])]),
      .array([.array([.integer(-1), .integer(1), .array([text("a"), .integer(1)])])]),
      .array([.array([.integer(0), .integer(1), .array([text("a"), .integer(70_000)])])]),
    ] {
      #expect(SlotMap(slots: reply, by: reporter) == nil)
      #expect(SlotMap(shards: reply, by: reporter) == nil)
    }
    #expect(SlotMap(shards: .array([shard([0], [node("a", 1, "master")])]), by: reporter) == nil)
    #expect(SlotMap(shards: .array([shard([0, 16_384], [node("a", 1, "master")])]), by: reporter) == nil)
    #expect(SlotMap(shards: .array([shard([0, 1], [node("a", nil, "master")])]), by: reporter) == nil)
  }

  @Test func aMovedSlotIsRecorded() throws {
    let reply = RESPValue.array([
      shard([0, 9], [node("a", 1, "master"), node("c", 3, "replica")]),
      shard([10, 19], [node("b", 2, "master")]),
    ])
    var map = try #require(SlotMap(shards: reply, by: reporter))
    try map.move(slot(12), to: RedisAddress(host: "a", port: 1))
    #expect(try map[slot(12)] == map[slot(0)])
    #expect(try map[slot(11)]?.primary.host == "b")
    // An unknown node.
    try map.move(slot(0), to: RedisAddress(host: "new", port: 9))
    #expect(try map[slot(0)] == SlotMap.Shard(primary: RedisAddress(host: "new", port: 9), replicas: []))
    #expect(try map[slot(1)]?.replicas == [RedisAddress(host: "c", port: 3)])
  }
}
