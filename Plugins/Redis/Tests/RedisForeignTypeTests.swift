import Foundation
import StrataCore
import StrataRedis
import TestSupport
import Testing

/// Keys of the same database that hold values of other Redis types, such as lists.
@Suite(.timeLimit(.minutes(10))) struct RedisForeignTypeTests {
  @Test func keysOfOtherTypesAreReportedAndKept() async throws {
    let server = try await RedisServer()
    let store = try store(server.address)
    try await server.run("RPUSH", "s::key", "element")
    let error = await failure { try await store.object(forKey: "key") }
    expectFailure(error, .malformedFileAttributes, ["not a string"], at: server.address, cause: "WRONGTYPE")
    let update = await failure { try await store.update(forKey: "key") { $0 = text("x") } }
    expectFailure(update, .malformedFileAttributes, ["not a string"], at: server.address, cause: "WRONGTYPE")
    let batch = await failure { try await store.entries(forKeys: ["key", "none"]) }
    expectFailure(batch, .malformedFileAttributes, ["not a string"], at: server.address, cause: "WRONGTYPE")
    for expiry in [Expiry.never, .seconds(100), .date(Date() + 100)] {
      let write = await failure { try await store.setObject(text("x"), forKey: "key", expiry: expiry) }
      expectFailure(write, .malformedFileAttributes, ["not a string"], at: server.address, cause: "WRONGTYPE")
    }
    let touch = await failure { try await store.touch(forKey: "key", expiry: .seconds(1)) }
    expectFailure(touch, .malformedFileAttributes, ["not a string"], at: server.address, cause: "WRONGTYPE")
    let count = await failure { try await store.increment(forKey: "key", by: 1) }
    expectFailure(count, .malformedFileAttributes, ["not a string"], at: server.address, cause: "WRONGTYPE")
    #expect(try await !store.setIfAbsent(text("x"), forKey: "key", expiry: nil))
    #expect(try await server.run("LLEN", "s::key") == .integer(1))
    #expect(try await server.run("PTTL", "s::key") == .integer(-1))
    // Removals do not check the type.
    try await store.removeObject(forKey: "key")
    #expect(try await store.entryIfPresent(forKey: "key") == nil)
  }

  /// No write of any size destroys the list of another program, alone or in a batch.
  @Test(arguments: [1, 32 << 10, 32 << 10 + 1, 5 << 20], [true, false])
  func keysOfOtherTypesAreNotOverwritten(_ size: Int, mayRunScripts: Bool) async throws {
    let server = try await RedisServer()
    try await server.run("ACL", "SETUSER", "careful", "on", "nopass", "~*", "+@all", "-eval")
    var config = RedisConfig(addresses: [server.address], timeout: .seconds(30))
    if !mayRunScripts { (config.user, config.password) = ("careful", "") }
    let store = try RedisStorage<String>(config: config, namespace: "s")
    let keys = ["list", "hash", "set", "zset", "stream"]
    try await server.run("RPUSH", "s::list", "element")
    try await server.run("HSET", "s::hash", "field", "value")
    try await server.run("SADD", "s::set", "member")
    try await server.run("ZADD", "s::zset", "1", "member")
    try await server.run("XADD", "s::stream", "*", "field", "value")
    for expiry in [Expiry.never, .seconds(100), .date(Date() + 100)] {
      for key in keys {
        for write in [
          { try await store.setObject(large(size), forKey: key, expiry: expiry) },
          {
            try await store.setObjects(
              [key: large(size), "a": text("x"), "b": text("y")], expiry: expiry)
          },
          { try await store.setObjects([key: large(size)], expiry: expiry) },
        ] {
          expectFailure(
            await failure(write), .malformedFileAttributes, ["not a string"], key: key, at: server.address,
            cause: "WRONGTYPE")
        }
        #expect(try await server.run("TYPE", "s::\(key)") == .simple(key))
      }
    }
    // Each write sets or removes the expiry.
    for expiry in [Expiry.date(Date() + 100), .seconds(100), .never] {
      try await store.setObject(large(size), forKey: "a", expiry: expiry)
      try await store.setObjects(["b": large(size), "c": text("c")], expiry: expiry)
      for key in ["a", "b", "c"] {
        #expect(try await store.expiryIfPresent(forKey: key) != .never || expiry == .never)
        #expect(try await store.expiryIfPresent(forKey: key) == .never || expiry != .never)
      }
    }
    // Strings are replaced.
    try await store.setObjects(["a": large(size), "b": large(size)], expiry: nil)
    try await store.setObject(large(size), forKey: "a")
    #expect(try await store.object(forKey: "a") == large(size))
    #expect(try await store.entries(forKeys: ["a", "b"]).values.allSatisfy { $0.object == large(size) })
  }

  /// Creates a list while a large value is being stored, which takes several packets. The first of the two stays, and
  /// the other is refused.
  @Test func aListCreatedDuringALargeWriteIsNotOverwritten() async throws {
    let server = try await RedisServer()
    let store = try store(server.address)
    let value = large(1 << 20)
    for round in 0..<30 {
      let key = "key \(round)"
      async let stored = Result { try await store.setObject(value, forKey: key) }
      async let pushed = server.run("RPUSH", "s::\(key)", "element")
      let (result, reply) = (await stored, try await pushed)
      if reply == .integer(1) {
        #expect(throws: StorageError.malformedFileAttributes) { try result.get() }
        #expect(try await server.run("LLEN", "s::\(key)") == .integer(1))
      } else {
        #expect(throws: Never.self) { try result.get() }
        #expect(try await store.object(forKey: key) == value)
      }
    }
  }

  @Test func aLeaseDoesNotOverwriteAList() async throws {
    let server = try await RedisServer()
    let store = try store(server.address)
    try await server.run("RPUSH", "s::key", "element")
    let lease = try #require(try await store.acquire("key", for: .seconds(60)))
    let error = await failure {
      try await lease.whileHeld { try await store.setObject(text("x"), forKey: "key") }
    }
    expectFailure(error, .malformedFileAttributes, ["not a string"], at: server.address, cause: "WRONGTYPE")
    let batch = await failure {
      try await lease.whileHeld {
        try await store.setObjects(["key": text("x"), "other": text("x")], expiry: nil)
      }
    }
    expectFailure(
      batch, .malformedFileAttributes, ["not a string"], key: nil, at: server.address, cause: "WRONGTYPE")
    #expect(try await store.entryIfPresent(forKey: "other") == nil)
    #expect(try await server.run("LLEN", "s::key") == .integer(1))
  }
}
