import Strata
import StrataRedis
import TestSupport
import Testing

@Suite("Memory in front of a Redis cluster", .timeLimit(.minutes(10)))
struct TrackingClusterTests {
  @Test(
    "drops a key when its slot moves, and receives the new node's invalidations",
    arguments: [RedisTracking.reads, .broadcast])
  func movedSlot(_ tracking: RedisTracking) async throws {
    let cluster = try await RedisServers.shared.value
    let (one, two) = (
      try Peer(cluster.nodes[0].address, tracking: tracking),
      try Peer(cluster.nodes[1].address, tracking: tracking)
    )
    try await two.chain.setObject(1, forKey: "a")
    #expect(try await one.warm("a") == 1)
    guard case .integer(let slot) = try await cluster.nodes[0].run("CLUSTER", "KEYSLOT", "numbers::a") else {
      throw Failure.first
    }
    let move = try await cluster.beginMove(of: Int(slot))
    try await move.finish()
    // `one` has sent no command since the move began, so only invalidations of the slot's old node can reach it.
    try await two.chain.setObject(2, forKey: "a")
    await one.forgets("a", 1)
    #expect(try await one.warm("a") == 2)
    try await two.chain.setObject(3, forKey: "a")
    await one.forgets("a", 2)
    #expect(try await one.chain.object(forKey: "a") == 3)
  }

  @Test("drops the keys of a killed primary, and receives its replica's invalidations")
  func fallenPrimary() async throws {
    let cluster = try await SpareClusters.shared.take(timeout: 1_000)
    let (one, two) = (
      try Peer(cluster.nodes[0].address, cluster.nodes[1].address), try Peer(cluster.nodes[1].address)
    )
    let keys = (0..<30).map { "k\($0)" }
    for key in keys { try await two.chain.setObject(1, forKey: key) }
    for key in keys { #expect(try await one.warm(key) == 1) }
    cluster.nodes[2].kill()
    // All keys are dropped, since the client does not record which of them were read from that node.
    for key in keys { await one.forgets(key, 1) }
    for key in keys { try await eventually { try await two.chain.setObject(2, forKey: key) } }
    for key in keys { #expect(try await eventually { try await one.warm(key) } == 2) }
    for key in keys { try await eventually { try await two.chain.setObject(3, forKey: key) } }
    for key in keys {
      await one.forgets(key, 2)
      #expect(try await eventually { try await one.chain.object(forKey: key) } == 3)
    }
  }
}
