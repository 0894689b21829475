import Foundation
import StrataCore
import StrataRedis
import TestSupport
import Testing

/// The errors of a store when the server cannot execute a command.
@Suite(.timeLimit(.minutes(10))) struct RedisStorageFailureTests {
  @Test func aFullServerKeepsOldValues() async throws {
    let server = try await RedisServer()
    let store = try store(server.address)
    try await store.setObject(text("old"), forKey: "key")
    try await server.run("CONFIG", "SET", "maxmemory", "1000000")
    let big = Data(count: 200_000)
    let error = await failure { for _ in 0..<10 { try await store.setObject(big, forKey: "key") } }
    expectFailure(
      error, .backendFailed, ["cannot store the entry", "memory is full", "maxmemory"], at: server.address,
      cause: "OOM")
    // The old value is still there, and a partly refused batch stores nothing.
    let batch = Dictionary(uniqueKeysWithValues: (0..<10).map { ("batch \($0)", big) })
    let refused = await failure { try await store.setObjects(batch, expiry: nil) }
    expectFailure(
      refused, .backendFailed, ["cannot store the entries", "maxmemory"], key: nil, at: server.address,
      cause: "OOM")
    #expect(try await store.object(forKey: "key") == text("old"))
    #expect(try await store.keys() == ["key"])
    let update = await failure { try await store.update(forKey: "key") { $0 = big } }
    expectFailure(
      update, .backendFailed, ["cannot update the entry", "maxmemory"], at: server.address, cause: "OOM")
    // A full server still allows removals.
    try await store.removeObject(forKey: "key")
    #expect(try await store.keys().isEmpty)
  }

  @Test func aReplicaRefusesWrites() async throws {
    let primary = try await RedisServer()
    let replica = try await RedisServer()
    try await replica.run("REPLICAOF", "127.0.0.1", "\(primary.port)")
    // The store retries until the timeout, since another server may take over.
    let store = try store(replica.address, timeout: .milliseconds(300))
    for write in [
      { try await store.setObject(text("x"), forKey: "key") },
      { try await store.removeObject(forKey: "key") },
    ] {
      var error: StorageError?
      try await eventually {
        error = await failure(write)
        return !(error?.cause is RedisConnectionError)
      }
      expectFailure(
        error, .backendFailed, ["is a replica", "primary"], at: replica.address, cause: "READONLY")
    }
    #expect(try await StrataRedisTests.store(replica.address).entryIfPresent(forKey: "key") == nil)
  }

  @Test(.enabled(if: !RedisServer.isBefore7, "an older server seldom answers while it loads"))
  func aLoadingServerIsReportedOrWaitedFor() async throws {
    let server = try await RedisServer()
    let store = try store(server.address)
    let hasty = try StrataRedisTests.store(server.address, timeout: .milliseconds(300))
    let objects = muchToLoad()
    try await store.setObjects(objects, expiry: nil)
    try await server.restartLoading()
    var error: StorageError?
    try await eventually {
      error = await failure { try await hasty.object(forKey: "1") }
      return error?.cause is RedisReplyError
    }
    expectFailure(
      error, .backendFailed, ["cannot read the entry", "loads its data", "later"], key: "1",
      at: server.address, cause: "LOADING")
    try await server.endLoading()
    // A store with a longer timeout waits. The key is never reported as absent.
    #expect(try await store.objectIfPresent(forKey: "1") == objects["1"])
  }

  @Test func missingAndWrongPasswordsAreReported() async throws {
    let server = try await RedisServer(["--requirepass", "secret"])
    let without = try store(server.address)
    expectFailure(
      await failure { try await without.object(forKey: "key") }, .invalidConfiguration,
      ["demands a password", "`password`"],
      at: server.address, cause: "NOAUTH")
    let wrong = try store(server.address, password: "guess")
    let error = await failure { try await wrong.setObject(text("x"), forKey: "key") }
    expectFailure(
      error, .invalidConfiguration, ["refused this user and password"], at: server.address, cause: "WRONGPASS"
    )
    #expect(error.map { "\($0)".contains("guess") } == false)
    let right = try store(server.address, password: "secret")
    try await right.setObject(text("x"), forKey: "key")
    #expect(try await right.object(forKey: "key") == text("x"))
  }

  @Test func missingPermissionsAreReported() async throws {
    let server = try await RedisServer()
    // The user may access keys of the store, but not run CLUSTER commands.
    try await server.run(
      "ACL", "SETUSER", "ada", "on", ">lovelace", "~s::*", "+@read", "+set", "+@connection")
    let store = try store(server.address, user: "ada", password: "lovelace")
    try await store.setObject(text("x"), forKey: "key")
    #expect(try await store.object(forKey: "key") == text("x"))
    let error = await failure { try await store.removeObject(forKey: "key") }
    expectFailure(
      error, .invalidConfiguration, ["does not allow", "ACL SETUSER"], at: server.address, cause: "NOPERM")
    let other = try RedisStorage<String>(client: store.client, namespace: "other")
    let foreign = await failure { try await other.object(forKey: "key") }
    expectFailure(foreign, .invalidConfiguration, ["does not allow"], at: server.address, cause: "NOPERM")
  }

  /// Values that do not expire are stored by `GETSET`; by `SET … GET` if the user may not run it.
  @Test func aUserWithoutGETSETStoresValues() async throws {
    let server = try await RedisServer()
    try await server.run(
      "ACL", "SETUSER", "ada", "on", ">lovelace", "~s::*", "+@read", "+set", "+@connection")
    let store = try store(server.address, user: "ada", password: "lovelace")
    for round in 0..<3 {
      try await store.setObject(text("\(round)"), forKey: "key")
      #expect(try await server.run("GET", "s::key") == .bulk(text("\(round)")))
    }
    let statistics = try await server.run("INFO", "commandstats").text ?? ""
    #expect(statistics.contains("cmdstat_set:calls=3,"))
    let attempts = statistics.split(separator: "\r\n").filter { $0.hasPrefix("cmdstat_getset:") }
    #expect(
      attempts.count == 1 && attempts[0].contains("calls=0,") && attempts[0].contains("rejected_calls=1,"))
    try await server.run("RPUSH", "s::list", "element")
    let error = await failure { try await store.setObject(text("x"), forKey: "list") }
    expectFailure(
      error, .malformedFileAttributes, ["not a string"], key: "list", at: server.address, cause: "WRONGTYPE")
    // A user who may run neither gets the refusal.
    try await server.run("ACL", "SETUSER", "ada", "-set")
    let refused = await failure { try await store.setObject(text("x"), forKey: "key") }
    expectFailure(refused, .invalidConfiguration, ["does not allow"], at: server.address, cause: "NOPERM")
  }

  @Test func theDocumentedPermissionsSuffice() async throws {
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

  @Test(.enabled(if: !RedisServer.isBefore7, "permissions to read are Redis 7's"))
  func aPartlyForbiddenBatchChangesNothing() async throws {
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
      expectFailure(
        error, .invalidConfiguration, ["does not allow"], key: nil, at: server.address, cause: "NOPERM")
      #expect(
        try await store.entries(forKeys: ["mine 1", "mine 2"]).values.map(\.object) == [
          text("old"), text("old"),
        ])
    }
  }

  @Test func aServerThatCannotSaveRefusesWrites() async throws {
    let server = try await RedisServer(["--save", "3600", "1"])
    let store = try store(server.address)
    try await store.setObject(text("old"), forKey: "key")
    // A folder in place of the snapshot file makes saving fail.
    try FileManager.default.createDirectory(
      at: server.folder.url.appending(path: "dump.rdb"), withIntermediateDirectories: true)
    try await server.run("BGSAVE")
    try await eventually {
      try await server.run("INFO", "persistence").text?.contains("rdb_last_bgsave_status:err") == true
    }
    let error = await failure { try await store.setObject(text("new"), forKey: "key") }
    expectFailure(error, .backendFailed, ["cannot save its data"], at: server.address, cause: "MISCONF")
    #expect(try await store.object(forKey: "key") == text("old"))
  }

  @Test func valuesOf512MBAreTooLarge() async throws {
    let server = try await RedisServer()
    let store = try store(server.address)
    let error = await failure { try await store.setObject(Data(count: 512 << 20), forKey: "key") }
    #expect(error == .tooLarge)
    #expect(error?.key as? String == "key")
    #expect(try await store.keys().isEmpty)
  }
}
