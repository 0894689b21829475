import Foundation
import StrataObservation
import StrataRedis
import TestSupport
import Testing

/// What a view would show of values that another process changes, behind a real server.
@Suite("A stored value over Redis", .endsInTime)
@MainActor
struct RedisObservationTests {
  nonisolated private static func redis(
    _ port: Int, _ tracking: RedisTracking = .reads, timeout: Duration = .seconds(30)
  ) throws -> RedisStorage<String> {
    let address = RedisAddress(host: "127.0.0.1", port: UInt16(port))
    return try RedisStorage<String>(
      config: RedisConfig(addresses: [address], timeout: timeout, tracking: tracking), namespace: "observed")
  }

  nonisolated private static func chain(_ redis: RedisStorage<String>) -> AsyncStorage<String, Int> {
    AsyncStorage(front: MemoryStorage(), back: redis, transformer: .codable(Int.self))
  }

  @Test("it follows a second process to its last change, and never goes back")
  func process() async throws {
    if let words = SecondProcess.arguments {
      await SecondProcess.run {
        let chain = Self.chain(try Self.redis(Int(words[0]) ?? 0))
        for number in 1...2000 { try await chain.setObject(number, forKey: "a") }
        try await chain.setObject(1, forKey: "b")
      }
    }
    let server = try await RedisServer()
    let port = server.port
    let redis = try Self.redis(port)
    let plain = StoredValue(AsyncStorage(back: redis, transformer: .codable(Int.self)), forKey: "a")
    let cached = StoredValue(Self.chain(try Self.redis(port)), forKey: "a")
    // Without `broadcast` the server does not tell of keys that are new.
    let all = StoredCollection(Self.chain(try Self.redis(port, .broadcast)))
    let watcher = Watcher { cached.value }
    let second = try SecondProcess.start(words: ["\(port)"])
    await until { plain.value == 2000 && cached.value == 2000 && all["a"] == 2000 && all["b"] == 1 }
    await until { watcher.seen.last == 2000 }
    let values = watcher.seen.compactMap { $0 }
    #expect(watcher.seen.first == .some(nil) && values == Array(Set(values)).sorted())
    #expect(try await onThread { second.wait() } == .exit(0))
    try await server.run("DEL", "observed::a")
    await until { plain.value == nil && cached.value == nil && all["a"] == nil }
  }

  @Test("it follows again after the server was down")
  func restarted() async throws {
    let server = try await RedisServer()
    let value = StoredValue(Self.chain(try Self.redis(server.port, timeout: .seconds(1))), forKey: "a")
    try await value.set(1)
    #expect(value.value == 1)
    server.kill()
    await until { value.phase.error != nil }
    #expect(value.value == 1)
    try await server.restart()
    try await server.run("SET", "observed::a", "2")
    await until { value.value == 2 && value.phase.error == nil }
    try await server.run("SET", "observed::a", "3")
    await until { value.value == 3 }
  }
}
