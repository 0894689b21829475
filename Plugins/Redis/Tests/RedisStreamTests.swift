import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataRedis

/// Large values in parts, on real servers.
@Suite(.serialized, .endsInTime) struct RedisStreamTests {
  /// Returns the keys of hashes, and the number of parts in each.
  private static func hashes(_ servers: [RedisServer]) async throws -> [(
    server: RedisServer, key: String, parts: Int
  )] {
    var found: [(server: RedisServer, key: String, parts: Int)] = []
    for server in servers {
      for key in try await server.run("KEYS", "*").leaves {
        guard let key = key.text, try await server.run("TYPE", key) == .simple("hash") else { continue }
        let fields = try await server.run("HKEYS", key).leaves
        found.append((server, key, fields.count { $0.text != "strata" }))
      }
    }
    return found
  }

  private static func subject(
    _ servers: [RedisServer], _ open: @escaping @Sendable () throws -> RedisStorage<String>
  ) -> StreamSubject {
    StreamSubject(clock: nil, open: open) {
      try await hashes(servers).reduce(0) { $0 + $1.parts }
    } damage: { number in
      for hash in try await hashes(servers) {
        try await hash.server.run("HSET", hash.key, "\(number)", "damaged")
      }
    } lapse: {
      for hash in try await hashes(servers) where hash.key.hasPrefix("::stage:") {
        let left = try await hash.server.run("PTTL", hash.key).number
        #expect(left > 3_500_000 && left <= 3_600_000)
        try await hash.server.run("PEXPIRE", hash.key, "0")
      }
    }
  }

  @Test(arguments: StreamRule.allCases)
  func oneServerKeeps(_ rule: StreamRule) async throws {
    let server = try await RedisServer()
    let config = RedisConfig(addresses: [server.address], timeout: .seconds(60))
    try await rule.check(Self.subject([server]) { try RedisStorage<String>(config: config, namespace: "s") })
  }

  /// The same without the rights to run scripts.
  @Test(arguments: [StreamRule.lengths, .otherOperations, .batches, .replacement])
  func aUserWithoutScriptsKeeps(_ rule: StreamRule) async throws {
    let server = try await RedisServer()
    try await server.run("ACL", "SETUSER", "careful", "on", "nopass", "~*", "+@all", "-eval")
    var config = RedisConfig(addresses: [server.address], timeout: .seconds(60))
    (config.user, config.password) = ("careful", "")
    let fixed = config
    try await rule.check(Self.subject([server]) { try RedisStorage<String>(config: fixed, namespace: "s") })
  }

  @Test(arguments: [StreamRule.lengths, .otherOperations, .batches, .failedWriters])
  func aClusterKeeps(_ rule: StreamRule) async throws {
    let servers = try await RedisServers.shared.value
    let namespace = "streams \(rule)"
    try await rule.check(
      Self.subject([]) { try RedisStorage<String>(config: servers.config(), namespace: namespace) })
  }

  @Test func otherTypesAndUpdates() async throws {
    let server = try await RedisServer()
    let store = try RedisStorage<String>(
      config: RedisConfig(addresses: [server.address], timeout: .seconds(60)), namespace: "s")
    try await store.write(forKey: "a", expiry: .seconds(1000), from: PartSequence(large(1 << 20)))
    let updated = try await store.update(forKey: "a") { $0.append(7) }
    #expect((updated == large(1 << 20) + [7]) == true)
    let stored = try await store.object(forKey: "a")
    #expect((stored == updated) == true)
    #expect(try await server.run("TYPE", "s::a") == .simple("string"))
    #expect(try await server.run("TTL", "s::a").number > 990)
    // Hashes and lists of other programs are neither read nor replaced.
    try await server.run("HSET", "s::hash", "0", "x")
    try await server.run("RPUSH", "s::list", "x")
    for key in ["hash", "list"] {
      await #expect(throws: StorageError.malformedFileAttributes) { try await store.read(forKey: key) }
      await #expect(throws: StorageError.malformedFileAttributes) { try await store.object(forKey: key) }
      await #expect(throws: StorageError.malformedFileAttributes) {
        try await store.write(forKey: key, from: PartSequence(large(1 << 20)))
      }
      await #expect(throws: StorageError.malformedFileAttributes) {
        try await store.setObject(text("x"), forKey: key)
      }
    }
    #expect(try await server.run("LLEN", "s::list") == .integer(1))
    #expect(try await server.run("HLEN", "s::hash") == .integer(1))
    #expect(try await server.run("KEYS", "::stage:*").leaves.isEmpty)
  }

  /// Under a lease that has ended, a stream is not stored.
  @Test func aLostLeaseRefusesTheCommit() async throws {
    let server = try await RedisServer()
    let store = try RedisStorage<String>(
      config: RedisConfig(addresses: [server.address], timeout: .seconds(60)), namespace: "s")
    let lease = try #require(try await store.acquire("a", for: .seconds(100)))
    try await lease.whileHeld { try await store.write(forKey: "a", from: PartSequence(large(1 << 20))) }
    try await lease.whileHeld { try await store.setObject(text("small"), forKey: "a") }
    try await store.release(lease, of: "a")
    await #expect(throws: StorageError.leaseLost) {
      try await lease.whileHeld {
        try await store.write(forKey: "a", from: PartSequence(large(1 << 20)))
      }
    }
    #expect(try await store.object(forKey: "a") == text("small"))
  }

  @Test func aKilledWriterLeavesTheOldValueAndAKeyThatExpires() async throws {
    if let arguments = SecondProcess.arguments {
      await SecondProcess.run {
        let store = try RedisStorage<String>(
          config: RedisConfig(url: arguments[0]), namespace: "s")
        let staged = try await store.stage("a", nil, [])
        try await staged.append(large(9 << 20))
        SecondProcess.say("staged")
        while true { try await Task.sleep(for: .seconds(60)) }
      }
    }
    let server = try await RedisServer()
    let store = try RedisStorage<String>(
      config: RedisConfig(addresses: [server.address], timeout: .seconds(60)), namespace: "s")
    try await store.write(forKey: "a", from: PartSequence(large(2 << 20), by: 1 << 20))
    let program = try SecondProcess.start(words: ["redis://127.0.0.1:\(server.port)"])
    try await program.says("staged")
    program.signal(SIGKILL)
    #expect(program.wait() == .signal(SIGKILL))
    #expect(try await store.object(forKey: "a") == large(2 << 20))
    #expect(try await store.keys() == ["a"])
    let left = try await Self.hashes([server]).filter { $0.key.hasPrefix("::stage:") }
    #expect(left.map(\.parts) == [32])
    for hash in left { #expect(try await server.run("PTTL", hash.key).number > 3_000_000) }
  }

  #if os(Linux)
    @Test(.withoutSanitizer) func aLargeValueNeedsLittleMemory() async throws {
      let length = Soak.rounds(64 << 20, soak: 4 << 30) + 5
      if let arguments = SecondProcess.arguments {
        await SecondProcess.run {
          let store = try RedisStorage<String>(config: RedisConfig(url: arguments[0]), namespace: "s")
          SecondProcess.say("more \(try await memory(ofStreaming: length, store))")
        }
      }
      let server = try await RedisServer()
      try expectLittleMemory("redis", length, ["redis://127.0.0.1:\(server.port)"])
      // Another client finds the bytes of a part behind its checksum.
      #expect(try await server.run("HSTRLEN", "s::large", "8") == .integer(DividedValue.usualPartSize + 8))
    }
  #endif
}

extension RawRedis.Reply {
  fileprivate var number: Int { text.flatMap { Int($0) } ?? -9 }
}
