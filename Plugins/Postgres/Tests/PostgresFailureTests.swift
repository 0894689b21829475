import Foundation
import StrataLoading
import StrataPostgres
import TestSupport
import Testing

/// Servers that end, stop answering, have no space left, or refuse clients.
@Suite(.endsInTime) struct PostgresFailureTests {
  @Test("An error names a wrong password, role or database; neither it nor a dump contains a password")
  func refused() async throws {
    let server = try await PostgresServer.shared.value
    let secret = "not the pass word"
    let cases: [(String, (inout PostgresConfig) -> Void)] = [
      ("28P01", { $0.password = secret }), ("28P01", { $0.user = "nobody at all" }),
      ("3D000", { $0.database = "nowhere" }),
    ]
    for (sqlState, change) in cases {
      let store = try server.store("refused", change: change)
      let error = try #require(await failure { try await store.object(forKey: "key") })
      #expect(error == .invalidConfiguration, "\(error)")
      guard case .refused(let refusal)? = error.cause as? PostgresConnectionError else {
        Issue.record("\(error)")
        continue
      }
      #expect(refusal.sqlState == sqlState)
      #expect(error.key as? String == "key")
      #expect(error.place == "127.0.0.1:\(server.port)")
      var dumped = ""
      dump(error, to: &dumped)
      dump(store.client.config, to: &dumped)
      for said in [dumped, "\(error)", "\(store.client.config)", String(reflecting: store.client.config)] {
        #expect(!said.contains(secret) && !said.contains(PostgresServer.password), "\(said)")
      }
    }
    let missing = try server.store("refused") { $0.password = nil }
    #expect(await failure { try await missing.object(forKey: "key") } != nil)
  }

  @Test(
    "calls to a killed server wait for its restart, and fail when their time is over",
    arguments: [true, false])
  func killed(_ isCrash: Bool) async throws {
    let server = try await PostgresServer()
    let store = try PostgresStorage<String>(
      client: PostgresClient(config: server.config), table: "entries", durability: .durable)
    try await store.setObject(text("1"), forKey: "a")
    if isCrash { server.crash() } else { server.shutDown() }
    let impatient = try server.store("entries") { $0.timeout = .seconds(2) }
    let error = try #require(await failure { try await impatient.object(forKey: "a") })
    #expect(error == .backendFailed)
    guard case .unreachable? = error.cause as? PostgresConnectionError else {
      Issue.record("\(error)")
      return
    }
    // A client that has no connection yet: nothing of its write is sent before the restart.
    let writer = try server.store("entries")
    async let read = store.object(forKey: "a")
    async let written: Void = writer.setObject(text("2"), forKey: "b")
    try await server.restart()
    #expect(try await read == text("1"))
    try await written
    #expect(try await store.object(forKey: "b") == text("2"))
    #expect(try await eventually { try await impatient.object(forKey: "b") } == text("2"))
  }

  @Test("calls to a stopped server time out, and succeed again once it continues")
  func frozen() async throws {
    let server = try await PostgresServer()
    let store = try server.store("frozen") {
      ($0.timeout, $0.connectTimeout) = (.milliseconds(300), .milliseconds(300))
    }
    try await eventually { try await store.setObject(text("1"), forKey: "a") }
    try server.freeze()
    let error = try #require(await failure { try await store.setObject(text("2"), forKey: "a") })
    #expect(error == .backendFailed)
    #expect(error.cause as? PostgresConnectionError == .timedOut, "\(error)")
    #expect(await failure { try await store.object(forKey: "a") } == .backendFailed)
    try server.thaw()
    #expect(try await eventually { try await store.object(forKey: "a") }.count == 1)
  }

  @Test("A read whose connection is cut is repeated; a write is not, and was executed once or not at all")
  func cut() async throws {
    let server = try await PostgresServer.shared.value
    let proxy = Proxy(to: server.port)
    let store = try server.store("cut") {
      ($0.port, $0.connections) = (UInt16(proxy.port), 1)
    }
    try await store.setObject(text("0"), forKey: "a")
    for round in 1...10 {
      // The reply is lost; the server has received the request.
      proxy.cut(after: 1, .toClient)
      let error = try #require(await failure { try await store.increment(forKey: "a", by: 1) })
      #expect(error == .backendFailed)
      guard case .lost? = error.cause as? PostgresConnectionError else {
        Issue.record("\(error)")
        return
      }
      // The server has received the write and executed it once.
      try await eventually { try await store.object(forKey: "a") == text("\(round)") }
      // Returns once the lost connection has ended at the server, so that only the read is cut.
      _ = try await store.touch(forKey: "a", expiry: .never)
      proxy.cut(after: 1, .toClient)
      #expect(try await store.object(forKey: "a") == text("\(round)"))
    }
  }

  @Test("an update whose connection is cut changes the value once or not at all")
  func cutUpdate() async throws {
    let server = try await PostgresServer.shared.value
    let proxy = Proxy(to: server.port)
    let store = try server.store("cut update") {
      ($0.port, $0.connections) = (UInt16(proxy.port), 1)
    }
    try await store.setObject(text("0"), forKey: "a")
    var least = 0
    var most = 0
    for bytes in stride(from: 1, to: 400, by: 23) {
      proxy.cut(after: bytes, .toServer)
      most += 1
      do {
        try await store.update(forKey: "a") {
          $0 = text("\((Int(String(decoding: $0, as: UTF8.self)) ?? 0) + 1)")
        }
        least += 1
      } catch StorageError.backendFailed {}
    }
    proxy.cut(after: .max, .toServer)
    let count = try await eventually { try await store.object(forKey: "a") }
    #expect((least...most).contains(Int(String(decoding: count, as: UTF8.self)) ?? -1))
  }

  #if os(Linux)
    @Test("A write to a full disk fails; the old value remains", .enabled(if: SmallFileSystem.isAvailable))
    func fullDisk() async throws {
      let server = try await PostgresServer.shared.value
      let disk = try SmallFileSystem(size: "3m")
      _ = try Program.run(["chown", "nobody:nogroup", disk.url.path])
      try await server.run("CREATE TABLESPACE small LOCATION '\(disk.url.path)'")
      try await server.run(
        """
        CREATE UNLOGGED TABLE crowded (key bytea PRIMARY KEY, name bytea, value bytea NOT NULL, expires timestamptz)
        TABLESPACE small;
        """)
      let store = try server.store("crowded")
      try await store.setObject(text("small"), forKey: "a")
      let error = try #require(
        await failure {
          var random = SeededGenerator(seed: 1)
          for _ in 0..<10 {
            let value = Data((0..<1 << 20).map { _ in UInt8.random(in: .min ... .max, using: &random) })
            try await store.setObject(value, forKey: "a")
          }
        })
      #expect(error == .backendFailed, "\(error)")
      #expect((error.cause as? PostgresServerError)?.sqlState == "53100", "\(error)")
      #expect(error.message.contains("disk is full"))
      let kept = try await store.object(forKey: "a")
      #expect(kept == text("small") || kept.count == 1 << 20)
      try await server.run("DROP TABLE crowded; DROP TABLESPACE small")
    }
  #endif

  @Test("A client works after calls were cancelled", arguments: [1, 4])
  func cancelled(_ connections: Int) async throws {
    let server = try await PostgresServer.shared.value
    let store = try server.store("cancelled \(connections)") { $0.connections = connections }
    try await store.setObject(text("0"), forKey: "n")
    let acknowledged = Shared(0)
    await withTaskGroup { group in
      for number in 0..<200 {
        group.addTask {
          let call = Task {
            if number % 2 == 0 { return try await store.increment(forKey: "n", by: 1) }
            return try await store.object(forKey: "n").count
          }
          if number % 3 > 0 { call.cancel() }
          if case .success = await call.result, number % 2 == 0 { acknowledged.change { $0 += 1 } }
        }
      }
    }
    // A write that throws `CancellationError` was never sent, so that it must not be counted.
    #expect(try await store.object(forKey: "n") == text("\(acknowledged.value)"))
  }

  @Test("A closed client refuses calls")
  func closed() async throws {
    let server = try await PostgresServer.shared.value
    let store = try server.store("closed")
    try await store.setObject(text("1"), forKey: "a")
    // It finds the store inside others, and closes its client.
    try await StorageMaintenance(of: [store.timeout(.seconds(5)).loading(value: { _ in Data() })]).shutDown()
    let error = await failure { try await store.object(forKey: "a") }
    #expect(error == .backendFailed)
    #expect(error?.cause as? PostgresConnectionError == .closed)
  }

  @Test("if nothing listens at the port, the call fails in its time, and the error names the address")
  func nothing() async throws {
    let (socket, port) = Loopback.listener()
    close(socket)
    let store = try PostgresStorage<String>(
      config: PostgresConfig(port: UInt16(port), timeout: .milliseconds(300)), table: "t")
    let error = try #require(await failure { try await store.object(forKey: "a") })
    #expect(error == .backendFailed)
    guard case .unreachable? = error.cause as? PostgresConnectionError else {
      Issue.record("\(error)")
      return
    }
    #expect(error.place == "127.0.0.1:\(port)")
  }

  @Test("A write that no connection took in its time was not sent, and the error says so")
  func neverConnected() async throws {
    // The system accepts connections to it, but nobody answers.
    let (socket, port) = Loopback.listener()
    defer { close(socket) }
    let store = try PostgresStorage<String>(
      config: PostgresConfig(port: UInt16(port), timeout: .milliseconds(300)), table: "t")
    let error = try #require(await failure { try await store.setObject(text("1"), forKey: "a") })
    #expect(!error.message.contains("may have been executed"))
    guard case .unreachable? = error.cause as? PostgresConnectionError else {
      Issue.record("\(error)")
      return
    }
  }
}
