import Foundation
import Strata
import StrataRedis
import TestSupport
import Testing

@Suite("Memory in front of Redis", .timeLimit(.minutes(10)))
struct TrackingTests {
  @Test("drops entries that another process writes or removes", arguments: [RedisTracking.reads, .broadcast])
  func changes(_ tracking: RedisTracking) async throws {
    let server = try await RedisServer()
    let (one, two) = (
      try Peer(server.address, tracking: tracking), try Peer(server.address, tracking: tracking)
    )
    for round in 0..<50 {
      try await one.chain.setObject(round, forKey: "a")
      #expect(try await one.chain.object(forKey: "a") == round, "its own write, at once")
      if round > 0 { await two.forgets("a", round - 1) }
      #expect(try await two.warm("a") == round)
    }
    try await one.chain.setObjects(["a": 100, "b": 100], expiry: nil)
    await two.forgets("a", 49)
    #expect(try await two.warm("a") == 100)
    try await one.chain.removeObject(forKey: "a")
    await two.forgets("a", 100)
    #expect(try await two.chain.objectIfPresent(forKey: "a") == nil)
    #expect(try await two.warm("b") == 100)
    try await one.redis.update(forKey: "b") { $0 = Data("7".utf8) }
    await two.forgets("b", 100)
    #expect(try await two.chain.object(forKey: "b") == 7)
    try await one.chain.removeAll()
    await two.forgets("b", 7)
    #expect(try await two.chain.objectIfPresent(forKey: "b") == nil)
  }

  @Test("drops entries that were read in a batch when they change")
  func batch() async throws {
    let server = try await RedisServer()
    let one = try Peer(server.address)
    let keys = (0..<50).map { "\($0)" }
    let ones = Dictionary(uniqueKeysWithValues: keys.map { ($0, 1) })
    try await one.redis.setObjects(ones.mapValues { _ in Data("1".utf8) }, expiry: nil)
    try await eventually {
      _ = try await one.chain.entries(forKeys: keys)
      return keys.allSatisfy { one.chain.peek(forKey: $0)?.object == 1 }
    }
    try await server.run("PEXPIRE", "numbers::7", "100000")
    await until { one.chain.peek(forKey: "7") == nil }
    try await server.run("SET", "numbers::8", "2")
    await one.forgets("8", 1)
    #expect(try await one.chain.entries(forKeys: keys)["7"]?.expiry != .never)
  }

  @Test("drops everything when the server is flushed")
  func flushed() async throws {
    let server = try await RedisServer()
    let one = try Peer(server.address)
    try await one.chain.setObject(1, forKey: "a")
    #expect(try await one.warm("a") == 1)
    try await server.run("FLUSHALL")
    await one.forgets("a", 1)
    #expect(try await one.chain.objectIfPresent(forKey: "a") == nil)
  }

  @Test("drops everything after SWAPDB, which the server does not report")
  func swapped() async throws {
    let server = try await RedisServer()
    let one = try Peer(server.address, heartbeat: .milliseconds(200))
    try await one.chain.setObject(1, forKey: "a")
    for round in 1...2 {
      #expect(try await one.warm("a") == round)
      let raw = try server.raw()
      try raw.run("SELECT", "5")
      try raw.run("SET", "numbers::a", "\(round + 1)")
      try raw.run("SWAPDB", "0", "5")
      await one.forgets("a", round)
      #expect(try await one.chain.object(forKey: "a") == round + 1)
    }
  }

  @Test("drops keys that the server no longer tracks because its table is full")
  func expiredAndDropped() async throws {
    let server = try await RedisServer(["--tracking-table-max-keys", "1"])
    let one = try Peer(server.address)
    try await one.chain.setObject(1, forKey: "a")
    #expect(try await one.warm("a") == 1)
    for key in ["b", "c", "d"] {
      try await one.chain.setObject(1, forKey: key)
      #expect(try await one.chain.object(forKey: key) == 1)
    }
    // The table has room for one key: the server reports the others as changed.
    await until { ["a", "b", "c"].contains { one.chain.peek(forKey: $0) == nil } }
  }

  @Test("drops everything when the server is killed, and reads current values after its restart")
  func killed() async throws {
    let server = try await RedisServer()
    let one = try Peer(server.address, timeout: .milliseconds(500))
    try await eventually { try await one.chain.setObject(1, forKey: "a") }
    #expect(try await one.warm("a") == 1)
    server.kill()
    await one.forgets("a", 1)
    await #expect(throws: StorageError.backendFailed) { try await one.chain.object(forKey: "a") }
    try await server.restart()
    try await server.run("SET", "numbers::other", "x")
    let two = try Peer(server.address)
    try await two.chain.setObject(2, forKey: "a")
    let value = try await eventually { try await one.chain.object(forKey: "a") }
    #expect(value == 2)
    #expect(try await one.warm("a") == 2)
    try await two.chain.setObject(3, forKey: "a")
    await one.forgets("a", 2)
    #expect(try await eventually { try await one.chain.object(forKey: "a") } == 3)
  }

  @Test("drops everything when the server stops answering")
  func frozen() async throws {
    let server = try await RedisServer()
    let one = try Peer(server.address, heartbeat: .milliseconds(200))
    try await one.chain.setObject(1, forKey: "a")
    #expect(try await one.warm("a") == 1)
    server.freeze()
    await one.forgets("a", 1)
    server.thaw()
    #expect(try await eventually { try await one.chain.object(forKey: "a") } == 1)
    #expect(try await one.warm("a") == 1)
  }

  @Test("drops everything when its connection is cut or goes silent while others write")
  func cutLine() async throws {
    let server = try await RedisServer()
    let proxy = Proxy(to: server)
    let (one, two) = (try Peer(proxy.address, heartbeat: .milliseconds(200)), try Peer(server.address))
    for (round, isDead) in [false, true, false, true].enumerated() {
      try await two.chain.setObject(round * 10, forKey: "a")
      await one.forgets("a", round * 10 - 9)
      #expect(try await eventually { try await one.warm("a") } == round * 10)
      // The proxy withholds the server's invalidation.
      proxy.hold(.toClient)
      try await two.chain.setObject(round * 10 + 1, forKey: "a")
      if !isDead { proxy.cutAll() }
      await one.forgets("a", round * 10)
      proxy.release(.toClient)
      #expect(try await eventually { try await one.chain.object(forKey: "a") } == round * 10 + 1)
    }
  }

  @Test("does not keep a value that changed while its read was in flight")
  func readInFlight() async throws {
    let server = try await RedisServer()
    let proxy = Proxy(to: server)
    let (one, two) = (try Peer(proxy.address), try Peer(server.address))
    try await two.chain.setObject(0, forKey: "a")
    _ = try await one.chain.object(forKey: "a")
    for round in 1..<30 {
      // The proxy withholds the reply to the read, and the invalidation behind it.
      await one.forgets("a", round - 2)
      try await one.redis.removeInMemoryObject(forKey: "a")
      try await one.chain.removeInMemoryObject(forKey: "a")
      let before = proxy.passed(.toServer)
      proxy.hold(.toClient)
      let reading = Task { try await one.chain.object(forKey: "a") }
      await until { proxy.passed(.toServer) > before }
      try await two.chain.setObject(round, forKey: "a")
      proxy.release(.toClient)
      let seen = try await reading.value
      #expect(seen == round || seen == round - 1)
      await until { (one.chain.peek(forKey: "a")?.object ?? round) == round }
      #expect(try await one.chain.object(forKey: "a") >= round - 1)
      await one.forgets("a", round - 1)
      #expect(try await one.chain.object(forKey: "a") == round)
    }
  }

  @Test("receives invalidations of its own namespaces only, in broadcast mode")
  func namespaces() async throws {
    let server = try await RedisServer()
    let client = RedisClient(
      config: RedisConfig(addresses: [server.address], tracking: .broadcast))
    let first = try RedisStorage<String>(client: client, namespace: "first")
    let second = try RedisStorage<String>(client: client, namespace: "second")
    let memories = [first, second].map {
      HybridStorage(front: MemoryStorage<String, TypeWrapper>(), back: $0)
    }
    for store in [first, second] { try await store.setObject(Data("1".utf8), forKey: "a") }
    for memory in memories {
      try await eventually {
        let entry = try await memory.entryIfPresent(forKey: "a")
        return entry != nil && memory.peek(forKey: "a") != nil
      }
    }
    try await server.run("SET", "third::a", "x")
    try await server.run("SET", "first::a", "x")
    await until { memories[0].peek(forKey: "a") == nil }
    #expect(memories[1].peek(forKey: "a") != nil)
  }

  @Test(
    "a missing permission for tracking is an error, unless tracking is off",
    .enabled(if: !RedisServer.isBefore7, "permissions for parts of commands are Redis 7's"))
  func forbidden() async throws {
    let server = try await RedisServer()
    try await server.run("ACL", "SETUSER", "plain", "on", ">secret", "~*", "+@all", "-client|tracking")
    let one = try Peer(server.address, user: "plain", password: "secret")
    await #expect(throws: StorageError.self) { try await one.chain.object(forKey: "a") }
    let other = try Peer(server.address, tracking: .off, user: "plain", password: "secret")
    try await other.chain.setObject(1, forKey: "a")
    #expect(other.chain.peek(forKey: "a")?.object == 1, "without announcements memory keeps what was written")
  }

  @Test("agrees with the server after random writes over breaking connections")
  func storm() async throws {
    let server = try await RedisServer()
    let proxy = Proxy(to: server)
    let processes = try (0..<4).map {
      try Peer($0 == 0 ? proxy.address : server.address, tracking: $0 == 3 ? .broadcast : .reads)
    }
    let faults = Shared<[String]>([])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, process) in processes.enumerated() {
        for task in 0..<4 {
          group.addTask {
            var dice = SeededGenerator(seed: UInt64(number * 10 + task))
            for step in 0..<300 {
              let key = "k\(Int.random(in: 0..<6, using: &dice))"
              do {
                if Int.random(in: 0..<5, using: &dice) == 0 {
                  try await process.chain.setObject(step, forKey: key)
                } else {
                  _ = try await process.chain.objectIfPresent(forKey: key)
                }
              } catch let error as StorageError where error == .backendFailed {
                // The proxy of the first process breaks its connection from time to time.
                if number != 0 { faults.change { $0.append("\(error)") } }
              }
            }
          }
        }
      }
      group.addTask {
        for _ in 0..<5 {
          try await Task.sleep(for: .milliseconds(20))
          proxy.cutAll()
        }
      }
      try await group.waitForAll()
    }
    #expect(faults.value.isEmpty)
    // All writes are done. When their invalidations have arrived, each memory agrees with the server.
    for key in (0..<6).map({ "k\($0)" }) {
      let truth = try await processes[1].redis.entryIfPresent(forKey: key)?.object
      for process in processes {
        try await eventually {
          try await process.chain.objectIfPresent(forKey: key).map { Data("\($0)".utf8) } == truth
        }
      }
    }
  }
}
