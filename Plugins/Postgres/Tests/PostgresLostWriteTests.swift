import Foundation
import StrataPostgres
import TestSupport
import Testing

/// Writes that fail without a reply: none may overwrite a later write of the key that the same client was told of.
@Suite(.endsInTime) struct PostgresLostWriteTests {
  @Test("A write that the server's process has not received yet never overwrites an acknowledged one")
  func frozenProcess() async throws {
    let server = try await PostgresServer.shared.value
    let store = try server.store("frozen process") { ($0.connections, $0.timeout) = (1, .milliseconds(1500)) }
    try await eventually { try await store.setObject(text("0"), forKey: "a") }
    let process = try #require(try await server.processes(of: "frozen process").first)
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
    try await eventually { try await !server.processes(of: "frozen process").contains(process) }
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
    let process = try #require(try await server.processes(of: "frozen behind pooler", "INSERT").first)
    kill(process, SIGSTOP)
    defer { kill(process, SIGCONT) }
    let lost = await failure { try await store.setObject(text("1"), forKey: "a") }
    #expect(lost?.cause as? PostgresConnectionError == .timedOut)
    let refused = await failure { try await store.setObject(text("2"), forKey: "a") }
    #expect(refused?.message.contains("nothing was sent") == true, "\(String(describing: refused))")
    kill(process, SIGCONT)
    try await eventually { try await store.setObject(text("3"), forKey: "a") }
    try await eventually { try await !server.processes(of: "frozen behind pooler").contains(process) }
    #expect(try await store.object(forKey: "a") == text("3"))
  }

  @Test("Behind a pooler that changes the name, no later write of the key is acknowledged")
  func changedName() async throws {
    let server = try await PostgresServer.shared.value
    let pooler = try await PgBouncer(to: server, "application_name_add_host = 1")
    let store = try pooler.store("changed name") {
      ($0.connections, $0.timeout) = (1, .milliseconds(1500))
    }
    try await eventually { try await store.setObject(text("0"), forKey: "a") }
    let process = try #require(try await server.processes(of: "changed name", "INSERT").first)
    kill(process, SIGSTOP)
    defer { kill(process, SIGCONT) }
    let lost = await failure { try await store.setObject(text("1"), forKey: "a") }
    #expect(lost?.cause as? PostgresConnectionError == .timedOut)
    for signal in [0, SIGCONT] {
      kill(process, signal)
      let refused = await failure { try await store.setObject(text("2"), forKey: "a") }
      #expect(refused?.message.contains("nothing was sent") == true, "\(String(describing: refused))")
    }
    try await eventually { try await store.setObject(text("b"), forKey: "b") }
  }
}

/// Tasks with a key each, over connections that are cut again and again after some bytes, or deliver the last bytes
/// late. Values only grow: a read that is less than an acknowledged write shows that the write was undone.
@Suite(.endsInTime) struct PostgresLostWriteSoakTests {
  @Test func noAcknowledgedWriteIsUndone() async throws {
    let server = try await PostgresServer.shared.value
    let proxy = Proxy(to: server.port)
    let store = try server.store("undone") {
      ($0.port, $0.connections, $0.timeout) = (UInt16(proxy.port), 4, .seconds(10))
    }
    let rounds = Soak.rounds(100, soak: 4000)
    let undone = Shared<[String]>([])
    let counts = Shared((acknowledged: 0, failed: 0))
    let isDone = Shared(false)
    try await withThrowingTaskGroup(of: Void.self) { cutting in
      cutting.addTask {
        var dice = SeededGenerator(seed: Soak.seed)
        func pause() async throws {
          try await Task.sleep(for: .milliseconds(Int.random(in: 1...15, using: &dice)))
        }
        while !isDone.value {
          if Int.random(in: 0..<4, using: &dice) > 0 {
            proxy.cut(
              after: Int.random(in: 1...20_000, using: &dice),
              Bool.random(using: &dice) ? .toServer : .toClient)
          } else {
            // The server receives the last bytes when the client has other connections.
            proxy.holdLines()
            try await pause()
            proxy.hangUp()
            try await pause()
            proxy.releaseLines()
          }
          try await pause()
          // On a slow machine a new connection takes longer than the pauses. Without this, hardly one would be used.
          let acknowledged = counts.value.acknowledged
          await until { isDone.value || counts.value.acknowledged > acknowledged }
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
