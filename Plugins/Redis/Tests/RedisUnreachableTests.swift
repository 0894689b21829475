import Foundation
import StrataCore
import StrataLoading
import StrataRedis
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The errors of a store when no server answers.
@Suite(.timeLimit(.minutes(10))) struct RedisUnreachableTests {
  @Test func aStoppedServerIsReported() async throws {
    let server = try await RedisServer()
    let store = try store(server.address, timeout: .milliseconds(300))
    try await eventually { try await store.setObject(text("x"), forKey: "key") }
    server.kill()
    let error = await failure { try await store.object(forKey: "key") }
    expectFailure(error, .backendFailed, ["cannot read the entry"], at: server.address, cause: nil)
    let second = await failure { try await store.setObject(text("y"), forKey: "key") }
    expectFailure(
      second, .backendFailed, ["cannot be reached", "check that the server runs"], at: server.address,
      cause: nil)
    // After a restart of the server, the same store works again.
    try await server.restart()
    try await eventually { try await store.setObject(text("z"), forKey: "key") }
    #expect(try await store.object(forKey: "key") == text("z"))
  }

  @Test func callsToAFrozenServerTimeOut() async throws {
    let server = try await RedisServer()
    let store = try store(server.address, timeout: .milliseconds(500))
    try await eventually { try await store.setObject(text("old"), forKey: "key") }
    server.freeze()
    let start = ContinuousClock.now
    async let reading = failure { try await store.object(forKey: "key") }
    let calls: [@Sendable () async throws -> Void] = [
      { _ = try await store.keys() }, { try await store.removeAll() },
      { try await store.removeObject(forKey: "x") },
      { _ = try await store.entries(forKeys: ["a", "b"]) },
      { try await store.setObjects(["a": text("a"), "b": text("b")], expiry: nil) },
      { try await store.update(forKey: "key") { $0 = text("new") } },
      { _ = try await store.expiryIfPresent(forKey: "key") },
    ]
    await withTaskGroup(of: Void.self) { group in
      for call in calls { group.addTask { #expect(await failure(call) == .backendFailed) } }
    }
    expectFailure(await reading, .backendFailed, ["did not answer in time"], at: server.address, cause: nil)
    #expect(ContinuousClock.now - start < .seconds(20))
    server.thaw()
    _ = try await eventually { try await store.objectIfPresent(forKey: "key") }
  }

  @Test func aCancelledTaskLeavesTheStoreUsable() async throws {
    let server = try await RedisServer()
    let store = try store(server.address)
    for key in ["a", "b"] { try await store.setObject(text(key), forKey: key) }
    server.freeze()
    let read = Task { try await store.object(forKey: "a") }
    let update = Task { try await store.update(forKey: "a") { $0 += text("!") } }
    read.cancel()
    update.cancel()
    await #expect(throws: CancellationError.self) { try await read.value }
    await #expect(throws: (any Error).self) { try await update.value }
    server.thaw()
    // The reply to the abandoned call is not assigned to another call.
    for _ in 0..<10 { #expect(try await store.object(forKey: "b") == text("b")) }
    try await store.update(forKey: "b") { $0 += text("!") }
    #expect(try await store.object(forKey: "b") == text("b!"))
  }

  @Test func aClosedClientFailsCalls() async throws {
    let server = try await RedisServer()
    let store = try store(server.address)
    try await store.setObject(text("x"), forKey: "key")
    // It finds the store inside others, and closes its client.
    try await StorageMaintenance(of: [store.timeout(.seconds(5)).loading(value: { _ in Data() })]).shutDown()
    let error = await failure { try await store.object(forKey: "key") }
    expectFailure(error, .backendFailed, ["closed"], at: server.address, cause: nil)
  }

  @Test func aPeerWithAnotherProtocolIsReported() async throws {
    let listener = Loopback.listener()
    defer { close(listener.socket) }
    Thread.detachNewThread {
      let connection = accept(listener.socket, nil, nil)
      _ = send(connection, "HTTP/1.1 400 Bad Request\r\n\r\n", 28, Loopback.noSignal)
      close(connection)
    }
    let store = try store(
      RedisAddress(host: "127.0.0.1", port: UInt16(listener.port)), timeout: .milliseconds(500))
    let error = await failure { try await store.object(forKey: "key") }
    #expect(error == .backendFailed)
    #expect(error?.cause is RedisConnectionError)
  }

  @Test func aConfigurationWithoutAddressesIsRefused() async throws {
    let store = try RedisStorage<String>(config: RedisConfig(addresses: []), namespace: "s")
    let error = await failure { try await store.object(forKey: "key") }
    #expect(error == .invalidConfiguration)
    #expect(error?.message.contains("at least one address") == true)
  }
}
