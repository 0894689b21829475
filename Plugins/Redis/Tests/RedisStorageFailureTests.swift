import Foundation
import StrataCore
import StrataRedis
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What a store says when the server cannot do what it is asked.
@Suite(.timeLimit(.minutes(10))) struct RedisStorageFailureTests {
  private func store(
    _ address: RedisAddress, user: String? = nil, password: String? = nil, timeout: Duration = .seconds(10)
  ) throws -> RedisStorage<String> {
    try RedisStorage(
      config: RedisConfig(addresses: [address], user: user, password: password, timeout: timeout),
      namespace: "s")
  }

  /// An error has all that it should: what was tried, what to do, where, and the server's own words.
  private func expect(
    _ error: StorageError?, _ code: StorageError, _ words: [String], key: String? = "key",
    at address: RedisAddress,
    cause: String?, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    guard let error else {
      Issue.record("it did not throw a StorageError", sourceLocation: sourceLocation)
      return
    }
    #expect(error == code, "\(error)", sourceLocation: sourceLocation)
    for word in words { #expect(error.message.contains(word), "\(error)", sourceLocation: sourceLocation) }
    #expect(error.key as? String == key, sourceLocation: sourceLocation)
    #expect(error.place == address.description, sourceLocation: sourceLocation)
    if let cause {
      #expect((error.cause as? RedisReplyError)?.code == cause, "\(error)", sourceLocation: sourceLocation)
    } else {
      #expect(error.cause is RedisConnectionError, "\(error)", sourceLocation: sourceLocation)
    }
  }

  @Test func aFullServer() async throws {
    let server = try await RedisServer()
    let store = try store(server.address)
    try await store.setObject(text("old"), forKey: "key")
    try await server.run("CONFIG", "SET", "maxmemory", "1000000")
    let big = Data(count: 200_000)
    let error = await failure { for _ in 0..<10 { try await store.setObject(big, forKey: "key") } }
    expect(
      error, .backendFailed, ["cannot store the entry", "memory is full", "maxmemory"], at: server.address,
      cause: "OOM")
    // What was there is there, and a batch leaves nothing behind of which a part was refused.
    let batch = Dictionary(uniqueKeysWithValues: (0..<10).map { ("batch \($0)", big) })
    let refused = await failure { try await store.setObjects(batch, expiry: nil) }
    expect(
      refused, .backendFailed, ["cannot store the entries", "maxmemory"], key: nil, at: server.address,
      cause: "OOM")
    #expect(try await store.object(forKey: "key") == text("old"))
    #expect(try await store.keys() == ["key"])
    let update = await failure { try await store.update(forKey: "key") { $0 = big } }
    expect(
      update, .backendFailed, ["cannot update the entry", "maxmemory"], at: server.address, cause: "OOM")
    // There is always room to remove something.
    try await store.removeObject(forKey: "key")
    #expect(try await store.keys().isEmpty)
  }

  @Test func aReplicaTakesNoWrites() async throws {
    let primary = try await RedisServer()
    let replica = try await RedisServer()
    try await replica.run("REPLICAOF", "127.0.0.1", "\(primary.port)")
    let store = try store(replica.address)
    for error in [
      await failure { try await store.setObject(text("x"), forKey: "key") },
      await failure { try await store.removeObject(forKey: "key") },
    ] { expect(error, .backendFailed, ["is a replica", "primary"], at: replica.address, cause: "READONLY") }
    #expect(try await store.entryIfPresent(forKey: "key") == nil)
  }

  @Test func aServerThatLoads() async throws {
    let server = try await RedisServer(["--key-load-delay", "0"])
    let store = try store(server.address)
    try await store.setObjects(
      Dictionary(uniqueKeysWithValues: (0..<200).map { ("\($0)", Data(count: 10_000)) }), expiry: nil)
    try await server.run("SAVE")
    server.kill()
    // It takes its time for each key, and answers in between.
    try await server.restart(
      ["--key-load-delay", "20000", "--loading-process-events-interval-bytes", "1024"], waits: false)
    var error: StorageError?
    while error == nil || error?.cause is RedisConnectionError {
      error = await failure { try await store.object(forKey: "1") }
    }
    expect(
      error, .backendFailed, ["cannot read the entry", "loads its data", "later"], key: "1",
      at: server.address, cause: "LOADING")
    try await server.run("CONFIG", "SET", "key-load-delay", "0")
    // Absent it never was.
    while true {
      do {
        #expect(try await store.objectIfPresent(forKey: "1") == Data(count: 10_000))
        break
      } catch is StorageError {}
    }
  }

  @Test func aServerThatDemandsAPassword() async throws {
    let server = try await RedisServer(["--requirepass", "secret"])
    let without = try store(server.address)
    expect(
      await failure { try await without.object(forKey: "key") }, .invalidConfiguration,
      ["demands a password", "`password`"],
      at: server.address, cause: "NOAUTH")
    let wrong = try store(server.address, password: "guess")
    let error = await failure { try await wrong.setObject(text("x"), forKey: "key") }
    expect(error, .invalidConfiguration, ["does not know this user"], at: server.address, cause: "WRONGPASS")
    #expect(error.map { "\($0)".contains("guess") } == false)
    let right = try store(server.address, password: "secret")
    try await right.setObject(text("x"), forKey: "key")
    #expect(try await right.object(forKey: "key") == text("x"))
  }

  @Test func aUserWithFewRights() async throws {
    let server = try await RedisServer()
    // May read and write keys of the store, and not ask about a cluster.
    try await server.run(
      "ACL", "SETUSER", "ada", "on", ">lovelace", "~s::*", "+@read", "+set", "+@connection")
    let store = try store(server.address, user: "ada", password: "lovelace")
    try await store.setObject(text("x"), forKey: "key")
    #expect(try await store.object(forKey: "key") == text("x"))
    let error = await failure { try await store.removeObject(forKey: "key") }
    expect(
      error, .invalidConfiguration, ["does not allow", "ACL SETUSER"], at: server.address, cause: "NOPERM")
    let other = try RedisStorage<String>(client: store.client, namespace: "other")
    let foreign = await failure { try await other.object(forKey: "key") }
    expect(foreign, .invalidConfiguration, ["does not allow"], at: server.address, cause: "NOPERM")
  }

  @Test func theRightsThatAreAskedForAreEnough() async throws {
    let server = try await RedisServer()
    try await server.run(
      "ACL", "SETUSER", "ada", "on", ">lovelace", "~s::*", "+@read", "+@write", "+@transaction",
      "+@connection")
    let store = try store(server.address, user: "ada", password: "lovelace")
    try await store.setObject(text("x"), forKey: "key", expiry: .seconds(1000))
    try await store.setObjects(["a": text("a"), "b": text("b")], expiry: nil)
    try await store.update(forKey: "a") { $0 += text("!") }
    #expect(try await store.entries(forKeys: ["a", "b"]).count == 2)
    #expect(try await store.objectExists(forKey: "key"))
    #expect(try await store.keys().count == 3)
    try await store.removeObjects(forKeys: ["a"])
    try await store.removeAll()
    #expect(try await store.keys().isEmpty)
  }

  @Test func aBatchOfWhichAPartIsRefused() async throws {
    let server = try await RedisServer()
    try await server.run(
      "ACL", "SETUSER", "ada", "on", ">lovelace", "%R~s::*", "~s::mine*", "+@read", "+@write",
      "+@transaction",
      "+@connection")
    let store = try store(server.address, user: "ada", password: "lovelace")
    try await store.setObjects(["mine 1": text("old"), "mine 2": text("old")], expiry: nil)
    for batch in [
      {
        try await store.setObjects(
          ["mine 1": text("new"), "mine 2": text("new"), "theirs": text("new")], expiry: nil)
      },
      { try await store.removeObjects(forKeys: ["mine 1", "theirs", "mine 2"]) },
    ] {
      let error = await failure(batch)
      expect(error, .invalidConfiguration, ["does not allow"], key: nil, at: server.address, cause: "NOPERM")
      #expect(
        try await store.entries(forKeys: ["mine 1", "mine 2"]).values.map(\.object) == [
          text("old"), text("old"),
        ])
    }
  }

  @Test func nobodyThere() async throws {
    let server = try await RedisServer()
    let store = try store(server.address)
    try await store.setObject(text("x"), forKey: "key")
    server.kill()
    let error = await failure { try await store.object(forKey: "key") }
    expect(error, .backendFailed, ["cannot read the entry"], at: server.address, cause: nil)
    let second = await failure { try await store.setObject(text("y"), forKey: "key") }
    expect(second, .backendFailed, ["cannot be reached", "whether it runs"], at: server.address, cause: nil)
    // It comes back, and the same store goes on.
    try await server.restart()
    while await failure({ try await store.setObject(text("z"), forKey: "key") }) != nil {}
    #expect(try await store.object(forKey: "key") == text("z"))
  }

  @Test func aServerThatHangs() async throws {
    let server = try await RedisServer()
    let store = try store(server.address, timeout: .milliseconds(1500))
    try await store.setObject(text("old"), forKey: "key")
    server.freeze()
    let start = ContinuousClock.now
    let error = await failure { try await store.object(forKey: "key") }
    expect(error, .backendFailed, ["did not answer in time"], at: server.address, cause: nil)
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
    #expect(ContinuousClock.now - start < .seconds(20))
    server.thaw()
    while await failure({ try await store.objectIfPresent(forKey: "key") }) != nil {}
  }

  @Test func aTaskThatIsCancelledLeavesTheStoreUsable() async throws {
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
    // The reply that nobody waits for is not taken for another's.
    for _ in 0..<10 { #expect(try await store.object(forKey: "b") == text("b")) }
    try await store.update(forKey: "b") { $0 += text("!") }
    #expect(try await store.object(forKey: "b") == text("b!"))
  }

  @Test func whatIsNoStoresIsLeftAlone() async throws {
    let server = try await RedisServer()
    let store = try store(server.address)
    try await server.run("RPUSH", "s::key", "element")
    let error = await failure { try await store.object(forKey: "key") }
    expect(error, .malformedFileAttributes, ["no string"], at: server.address, cause: "WRONGTYPE")
    let update = await failure { try await store.update(forKey: "key") { $0 = text("x") } }
    expect(update, .malformedFileAttributes, ["no string"], at: server.address, cause: "WRONGTYPE")
    #expect(try await server.run("LLEN", "s::key") == .integer(1))
    // To overwrite it or to remove it is another thing.
    try await store.setObject(text("x"), forKey: "key")
    #expect(try await store.object(forKey: "key") == text("x"))
  }

  @Test func aServerThatCannotSave() async throws {
    let server = try await RedisServer(["--save", "3600", "1"])
    let store = try store(server.address)
    try await store.setObject(text("old"), forKey: "key")
    // Where its file belongs there is a folder.
    try FileManager.default.createDirectory(
      at: server.folder.url.appending(path: "dump.rdb"), withIntermediateDirectories: true)
    try await server.run("BGSAVE")
    while try await server.run("INFO", "persistence").text?.contains("rdb_last_bgsave_status:err") != true {}
    let error = await failure { try await store.setObject(text("new"), forKey: "key") }
    expect(error, .backendFailed, ["cannot save its data"], at: server.address, cause: "MISCONF")
    #expect(try await store.object(forKey: "key") == text("old"))
  }

  @Test func aValueThatNoServerTakes() async throws {
    let server = try await RedisServer()
    let store = try store(server.address)
    let error = await failure { try await store.setObject(Data(count: 512 << 20), forKey: "key") }
    #expect(error == .tooLarge)
    #expect(error?.key as? String == "key")
    #expect(try await store.keys().isEmpty)
  }

  @Test func aClientThatWasClosed() async throws {
    let server = try await RedisServer()
    let store = try store(server.address)
    try await store.setObject(text("x"), forKey: "key")
    store.client.close()
    let error = await failure { try await store.object(forKey: "key") }
    expect(error, .backendFailed, ["closed"], at: server.address, cause: nil)
  }

  @Test func someOtherServer() async throws {
    let listener = Loopback.listener()
    defer { close(listener.socket) }
    Thread.detachNewThread {
      let connection = accept(listener.socket, nil, nil)
      _ = send(connection, "HTTP/1.1 400 Bad Request\r\n\r\n", 28, Loopback.noSignal)
      close(connection)
    }
    let store = try store(RedisAddress(host: "127.0.0.1", port: UInt16(listener.port)))
    let error = await failure { try await store.object(forKey: "key") }
    #expect(error == .backendFailed)
    #expect(error?.cause is RedisConnectionError)
  }

  @Test func noServerAtAll() async throws {
    let store = try RedisStorage<String>(config: RedisConfig(addresses: []), namespace: "s")
    let error = await failure { try await store.object(forKey: "key") }
    #expect(error == .invalidConfiguration)
    #expect(error?.message.contains("at least one address") == true)
  }
}
