import Foundation
import TestSupport
import Testing

@testable import StrataPostgres

/// Rows and tables that another program has locked.
@Suite(.endsInTime) struct PostgresLockTests {
  /// Calls `body` while `psql` holds a lock, which it releases when `body` returns.
  private func withLock(
    _ statement: String, at server: PostgresServer, _ body: () async throws -> Void
  ) async throws {
    let name = "lock \(UInt32.random(in: 0 ... .max))"
    let isHeld = """
      SELECT count(*) FROM pg_stat_activity WHERE application_name = '\(name)' AND query LIKE '%pg_sleep%'
      """
    async let holder: Void = {
      do {
        try await server.run(
          "SET application_name = '\(name)'; BEGIN; \(statement); SELECT pg_sleep(600); COMMIT")
      } catch is CannotStart {
        // It is terminated below.
      }
    }()
    try await eventually { try await server.run(isHeld) == "1" }
    do { try await body() } catch { Issue.record(error) }
    try await server.run(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '\(name)'")
    try await holder
  }

  @Test("A row that another program has locked holds up no other key", arguments: [1, 8])
  func otherKeys(_ connections: Int) async throws {
    let server = try await PostgresServer.shared.value
    let table = "locked \(connections)"
    let store = try server.store(table) { $0.connections = connections }
    try await store.setObject(text("0"), forKey: "locked")
    let isOver = Shared(0)
    try await withThrowingTaskGroup(of: Void.self) { group in
      try await withLock("SELECT FROM \"\(table)\" WHERE key = 'locked' FOR UPDATE", at: server) {
        for _ in 0..<20 {
          group.addTask {
            _ = try await store.increment(forKey: "locked", by: 1)
            isOver.change { $0 += 1 }
          }
        }
        try await withThrowingTaskGroup(of: Void.self) { others in
          for task in 0..<64 {
            others.addTask {
              for round in 0..<10 {
                try await store.setObject(text("\(round)"), forKey: "\(task)")
                #expect(try await store.object(forKey: "\(task)") == text("\(round)"))
              }
            }
          }
          try await others.waitForAll()
        }
        #expect(try await store.object(forKey: "locked") == text("0"))
        #expect(isOver.value == 0)
      }
      try await group.waitForAll()
    }
    // Each of the statements that were cancelled and sent again was executed once.
    #expect(try await store.object(forKey: "locked") == text("20"))
  }

  @Test("A statement whose row stays locked fails in its time, and the row can be written afterwards")
  func timeout() async throws {
    let server = try await PostgresServer.shared.value
    let store = try server.store("locked long") { ($0.connections, $0.timeout) = (1, .milliseconds(1000)) }
    try await eventually { try await store.setObject(text("0"), forKey: "a") }
    try await withLock("SELECT FROM \"locked long\" WHERE key = 'a' FOR UPDATE", at: server) {
      let error = await failure { try await store.setObject(text("1"), forKey: "a") }
      #expect(error?.cause as? PostgresConnectionError == .timedOut)
      try await store.setObject(text("1"), forKey: "b")
    }
    try await eventually { try await store.setObject(text("2"), forKey: "a") }
    #expect(try await store.object(forKey: "a") == text("2"))
  }

  @Test("Statements that could not be prepared while the table was locked are prepared later")
  func preparing() async throws {
    let server = try await PostgresServer()
    let connections = "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'strata %'"
    let other = try server.store("locked table")
    try await other.setObject(text("0"), forKey: "a")
    other.close()
    try await eventually { try await server.run(connections) == "0" }
    let store = try server.store("locked table") { $0.connections = 1 }
    try await withThrowingTaskGroup(of: Void.self) { group in
      try await withLock("LOCK TABLE \"locked table\" IN ACCESS EXCLUSIVE MODE", at: server) {
        for _ in 0..<8 { group.addTask { _ = try await store.object(forKey: "a") } }
        // The server has cancelled the first statement while it was being prepared, and it is sent again over a second
        // connection. The server refuses the others, which relied on the preparation: 26000.
        try await eventually { try await server.run(connections) == "2" }
      }
      try await group.waitForAll()
    }
    #expect(store.client.listener.pool.preparing.isOn)
  }
}
