import Foundation
import TestSupport
import Testing

@testable import StrataPostgres

/// Several clients that change the same entries.
@Suite(.endsInTime) struct PostgresUpdateTests {
  private let server: PostgresServer

  init() async throws { server = try await PostgresServer.shared.value }

  @Test("no update by several clients is lost, and none is made twice")
  func updates() async throws {
    let clients = try (0..<4).map { _ in try server.store("updates") }
    try await clients[0].setObject(text("0"), forKey: "n", expiry: .seconds(1000))
    let expiry = try await clients[0].expiryIfPresent(forKey: "n")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for client in clients {
        for _ in 0..<5 {
          group.addTask {
            for _ in 0..<10 {
              try await client.update(forKey: "n") {
                $0 = text("\((Int(String(decoding: $0, as: UTF8.self)) ?? 0) + 1)")
              }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await clients[0].object(forKey: "n") == text("200"))
    #expect(try await clients[0].expiryIfPresent(forKey: "n") == expiry)
  }

  @Test("an entry that was removed and stored again during an update counts as changed")
  func replaced() async throws {
    let one = try server.store("replaced")
    try await one.setObject(text("1"), forKey: "a")
    let rounds = Shared(0)
    _ = try await one.update(forKey: "a") { value in
      rounds.change { $0 += 1 }
      if rounds.value == 1 {
        // The same value in a new row.
        try server.runNow("DELETE FROM replaced; INSERT INTO replaced (key, value) VALUES ('a', '1')")
      }
      value = text("2")
    }
    #expect(rounds.value == 2)
  }

  @Test("batches of several clients over the same keys do not deadlock")
  func batches() async throws {
    let clients = try (0..<4).map { _ in try server.store("batches") }
    let keys = (0..<300).map { "\($0)" }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, client) in clients.enumerated() {
        group.addTask {
          for round in 0..<10 {
            if (number + round) % 4 == 3 {
              try await client.removeObjects(forKeys: keys.shuffled())
            } else {
              try await client.setObjects(
                Dictionary(uniqueKeysWithValues: keys.map { ($0, text("\(number)")) }), expiry: nil)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let found = try await clients[0].entries(forKeys: keys)
    #expect(Set(found.values.map(\.object)).count <= 1 && (found.isEmpty || found.count == 300))
  }

  @Test(
    "increment refuses a value that is not a number",
    arguments: ["x", "", "1.5", "9223372036854775807", "\0", "\u{FF}"])
  func noNumber(_ value: String) async throws {
    let store = try server.store("no number")
    try await store.setObject(text(value), forKey: "n")
    #expect(await failure { try await store.increment(forKey: "n", by: 1) } == .typeNotMatch)
    #expect(try await store.object(forKey: "n") == text(value))
  }

  @Test("A value too large for a statement is refused before it is sent")
  func tooLarge() async throws {
    let store = try server.store("too large")
    #expect(throws: StorageError.tooLarge) { try store.check(size: 1 << 30) }
  }
}
