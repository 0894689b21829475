import Foundation
import StrataPostgres
import TestSupport
import Testing

/// Writes that fail without a reply: none may overwrite a later write of the key that the same client was told of.
@Suite(.endsInTime) struct PostgresLostWriteTests {
  /// The operation that follows a lost write of the key.
  enum Later: CaseIterable { case value, batch, remove, removeBatch, removeAll, update, ifAbsent, count }

  private func write(_ later: Later, _ store: PostgresStorage<String>) async throws {
    switch later {
    case .value: try await store.setObject(text("2"), forKey: "key")
    case .batch: try await store.setObjects(["key": text("2"), "other": text("2")], expiry: nil)
    case .remove: try await store.removeObject(forKey: "key")
    case .removeBatch: try await store.removeObjects(forKeys: ["key", "other"])
    case .removeAll: try await store.removeAll()
    case .update: try await store.update(forKey: "key") { $0 = text("2") }
    case .ifAbsent:
      try await store.removeObject(forKey: "key")
      #expect(try await store.setIfAbsent(text("2"), forKey: "key", expiry: nil))
    case .count:
      try await store.removeObject(forKey: "key")
      #expect(try await store.increment(forKey: "key", by: 2) == 2)
    }
  }

  private func expected(_ later: Later) -> Data? {
    switch later {
    case .remove, .removeBatch, .removeAll: nil
    case .value, .batch, .update, .ifAbsent, .count: text("2")
    }
  }

  @Test(
    "A write that is delivered after its connection was lost overwrites nothing", arguments: Later.allCases)
  func lateArrival(_ later: Later) async throws {
    let server = try await PostgresServer.shared.value
    let proxy = Proxy(to: server.port)
    let store = try server.store("late \(later)") { ($0.port, $0.connections) = (UInt16(proxy.port), 1) }
    try await store.setObject(text("0"), forKey: "key")
    let received = proxy.received(.toServer)
    proxy.holdLines()
    async let failure = failure { try await store.setObject(text("1"), forKey: "key") }
    await until { proxy.received(.toServer) > received }
    proxy.hangUp()
    #expect(try #require(await failure).message.contains("may have been executed"))
    try await write(later, store)
    proxy.releaseLines()
    // The server executes the late write before it notices that its client is gone.
    try await eventually { try await processes("late \(later)", server).count == 1 }
    #expect(try await store.entryIfPresent(forKey: "key")?.object == expected(later))
  }

  @Test("A batch, or a removal of all, that is delivered late overwrites nothing", arguments: [true, false])
  func lateBatch(_ isBatch: Bool) async throws {
    let server = try await PostgresServer.shared.value
    let proxy = Proxy(to: server.port)
    let table = "late batch \(isBatch)"
    let store = try server.store(table) { ($0.port, $0.connections) = (UInt16(proxy.port), 1) }
    try await store.setObject(text("0"), forKey: "key")
    let received = proxy.received(.toServer)
    proxy.holdLines()
    async let failure = failure {
      if isBatch { return try await store.setObjects(["key": text("1"), "other": text("1")], expiry: nil) }
      try await store.removeAll()
    }
    await until { proxy.received(.toServer) > received }
    proxy.hangUp()
    #expect(await failure == .backendFailed)
    try await store.setObject(text("2"), forKey: "key")
    proxy.releaseLines()
    try await eventually { try await processes(table, server).count == 1 }
    #expect(try await store.object(forKey: "key") == text("2"))
  }

  /// The processes of the server that have executed statements on a table.
  private func processes(_ table: String, _ server: PostgresServer, _ verb: String = "") async throws
    -> [pid_t]
  {
    try await server.run(
      "SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'strata%' AND query LIKE '\(verb)%\"\(table)\"%'"
    ).split(separator: "\n").compactMap { pid_t($0) }
  }

  @Test("A write that the server's process has not received yet never overwrites an acknowledged one")
  func frozenProcess() async throws {
    let server = try await PostgresServer.shared.value
    let store = try server.store("frozen process") { ($0.connections, $0.timeout) = (1, .milliseconds(1500)) }
    try await eventually { try await store.setObject(text("0"), forKey: "a") }
    let process = try #require(try await processes("frozen process", server).first)
    kill(process, SIGSTOP)
    defer { kill(process, SIGCONT) }
    let lost = await failure { try await store.setObject(text("1"), forKey: "a") }
    #expect(lost?.cause as? PostgresConnectionError == .timedOut)
    // The stopped process cannot be ended yet, so that the next write has to fail.
    let refused = await failure { try await store.setObject(text("2"), forKey: "a") }
    #expect(refused?.message.contains("nothing was sent") == true, "\(String(describing: refused))")
    // Other keys are not affected, nor are reads.
    try await eventually { try await store.setObject(text("b"), forKey: "b") }
    #expect(try await eventually { try await store.object(forKey: "a") } == text("0"))
    kill(process, SIGCONT)
    try await eventually { try await store.setObject(text("3"), forKey: "a") }
    try await eventually { try await !processes("frozen process", server).contains(process) }
    #expect(try await store.object(forKey: "a") == text("3"))
  }

  @Test("The same behind a pooler, which forwards the name of the connection")
  func throughPooler() async throws {
    let server = try await PostgresServer.shared.value
    let pooler = try await PgBouncer(to: server)
    let store = try pooler.store("frozen behind pooler") {
      ($0.connections, $0.timeout) = (1, .milliseconds(1500))
    }
    try await eventually { try await store.setObject(text("0"), forKey: "a") }
    let process = try #require(try await processes("frozen behind pooler", server, "INSERT").first)
    kill(process, SIGSTOP)
    defer { kill(process, SIGCONT) }
    let lost = await failure { try await store.setObject(text("1"), forKey: "a") }
    #expect(lost?.cause as? PostgresConnectionError == .timedOut)
    let refused = await failure { try await store.setObject(text("2"), forKey: "a") }
    #expect(refused?.message.contains("nothing was sent") == true, "\(String(describing: refused))")
    kill(process, SIGCONT)
    try await eventually { try await store.setObject(text("3"), forKey: "a") }
    try await eventually { try await !processes("frozen behind pooler", server).contains(process) }
    #expect(try await store.object(forKey: "a") == text("3"))
  }
}

/// Tasks with a key each, over connections that are cut again and again after some bytes. Values only grow: a read that
/// is less than an acknowledged write shows that the write was undone.
@Suite(.endsInTime) struct PostgresLostWriteSoakTests {
  @Test func noAcknowledgedWriteIsUndone() async throws {
    let server = try await PostgresServer.shared.value
    let proxy = Proxy(to: server.port)
    let store = try server.store("undone") {
      ($0.port, $0.connections, $0.timeout) = (UInt16(proxy.port), 4, .seconds(10))
    }
    let rounds = Soak.rounds(500, soak: 20_000)
    let undone = Shared<[String]>([])
    let counts = Shared((acknowledged: 0, failed: 0))
    let isDone = Shared(false)
    try await withThrowingTaskGroup(of: Void.self) { cutting in
      cutting.addTask {
        var dice = SeededGenerator(seed: Soak.seed)
        while !isDone.value {
          proxy.cut(
            after: Int.random(in: 1...20_000, using: &dice), Bool.random(using: &dice) ? .toServer : .toClient
          )
          try await Task.sleep(for: .milliseconds(Int.random(in: 1...30, using: &dice)))
        }
      }
      await withTaskGroup { group in
        for task in 0..<16 {
          group.addTask {
            var floor = 0
            for round in 1...rounds {
              do {
                try await store.setObject(text("\(round)"), forKey: "\(task)")
                floor = round
                counts.change { $0.acknowledged += 1 }
              } catch { counts.change { $0.failed += 1 } }
              if round % 2 > 0 { continue }
              do {
                let value = try await store.entryIfPresent(forKey: "\(task)")?.object
                let number = value.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
                if number < floor { undone.change { $0.append("\(task) is \(number), not \(floor)") } }
              } catch { counts.change { $0.failed += 1 } }
            }
          }
        }
      }
      isDone.change { $0 = true }
      try await cutting.waitForAll()
    }
    print("lost writes: \(counts.value)")
    #expect(undone.value == [], "STRATA_SEED=\(Soak.seed), \(counts.value)")
    #expect(counts.value.acknowledged > 0)
  }
}
