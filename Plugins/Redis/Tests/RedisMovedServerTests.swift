import Foundation
import StrataCore
import StrataRedis
import TestSupport
import Testing

/// One address, with a server that restarts, loads, or is replaced by another.
@Suite(.timeLimit(.minutes(10))) struct RedisMovedServerTests {
  @Test("a demoted primary is replaced by the server to which its address now leads") func demoted()
    async throws
  {
    let (first, second) = (try await RedisServer(), try await RedisServer())
    let proxy = Proxy(to: first)
    let store = try store(proxy.address, timeout: .seconds(60))
    try await store.setObject(text("0"), forKey: "key")
    try await first.run("REPLICAOF", "127.0.0.1", "\(second.port)")
    proxy.turn(to: second)
    try await store.setObject(text("1"), forKey: "key")
    #expect(try await second.run("GET", "s::key") == .bulk(text("1")))
    try await store.setObjects(["a": text("a"), "b": text("b")], expiry: nil)
    try await store.update(forKey: "key") { $0 = text("2") }
    #expect(try await store.object(forKey: "key") == text("2"))
  }

  @Test("batches, removals and counters move to the new server as well", arguments: [0, 1, 2, 3])
  func demotedFor(_ call: Int) async throws {
    let (first, second) = (try await RedisServer(), try await RedisServer())
    try await second.run("SET", "s::key", "0")
    let proxy = Proxy(to: first)
    let store = try store(proxy.address, timeout: .seconds(60))
    try await store.setObject(text("0"), forKey: "key")
    try await first.run("REPLICAOF", "127.0.0.1", "\(second.port)")
    proxy.turn(to: second)
    switch call {
    case 0: try await store.setObjects(["key": text("1"), "b": text("b")], expiry: nil)
    case 1: try await store.removeObjects(forKeys: ["key", "b"])
    case 2: try await store.removeAll()
    default: #expect(try await store.increment(forKey: "key", by: 1) == 1)
    }
    let expected: RawRedis.Reply = [1, 2].contains(call) ? .null : .bulk(text("1"))
    #expect(try await second.run("GET", "s::key") == expected)
  }

  @Test("updates leave the connections to a demoted primary that earlier updates have used")
  func demotedForUpdates() async throws {
    let (first, second) = (try await RedisServer(), try await RedisServer())
    try await second.run("SET", "s::key", "0")
    let proxy = Proxy(to: first)
    let store = try store(proxy.address, timeout: .seconds(20))
    try await store.setObject(text("0"), forKey: "key")
    try await store.update(forKey: "key") { $0 = text("0") }
    try await first.run("REPLICAOF", "127.0.0.1", "\(second.port)")
    proxy.turn(to: second)
    try await store.update(forKey: "key") { $0 += text("1") }
    #expect(try await second.run("GET", "s::key") == .bulk(text("01")))
  }

  /// Wraps an error after which `eventually` must not repeat the write.
  private struct Failed: Error { let error: StorageError }

  /// Repeats a write as long as its connection is lost: the client may send it before it detects the end of the
  /// connection.
  private func sent(_ write: () async throws -> Void) async throws {
    try await eventually { () async throws -> Void in
      do { try await write() } catch let error as StorageError {
        guard case .lost? = error.cause as? RedisConnectionError else { throw Failed(error: error) }
        throw error
      }
    }
  }

  @Test("calls wait while the server restarts", arguments: [false, true]) func restart(_ isFirst: Bool)
    async throws
  {
    let server = try await RedisServer()
    let store = try store(server.address, timeout: .seconds(60))
    if !isFirst { try await store.setObject(text("0"), forKey: "key") }
    server.kill()
    async let write: Void = sent { try await store.setObject(text("1"), forKey: "key") }
    async let read = store.entryIfPresent(forKey: "none")
    async let batch: Void = sent {
      try await store.setObjects(["a": text("a"), "b": text("b")], expiry: nil)
    }
    async let keys = store.keys()
    try await server.restart()
    try await write
    try await batch
    #expect(try await read == nil)
    _ = try await keys
    #expect(try await store.object(forKey: "key") == text("1"))
  }

  @Test("calls wait while the server loads its data") func loads() async throws {
    let server = try await RedisServer()
    let store = try store(server.address, timeout: .seconds(60))
    try await store.setObjects(muchToLoad(), expiry: nil)
    try await server.restartLoading()
    #expect(try await server.run("GET", "s::1").text?.hasPrefix("LOADING") == true)
    async let read = store.object(forKey: "1")
    async let batch = store.entries(forKeys: ["2", "3"])
    async let write: Void = store.setObject(text("x"), forKey: "1")
    async let update = store.update(forKey: "4") { $0 = text("y") }
    try await server.endLoading()
    _ = try await (read, update, write)
    #expect(try await batch.count == 2)
  }
}
