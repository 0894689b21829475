import StrataObservation
import StrataPostgres
import TestSupport
import Testing

/// What a view would show of rows that other programs change.
@Suite("A stored value over PostgreSQL", .endsInTime)
@MainActor
struct PostgresObservationTests {
  @Test("it follows the statements of another program, also after the link was lost")
  func programs() async throws {
    let server = try await PostgresServer()
    let peer = try Peer(server.config, table: "observed")
    try await peer.chain.setObjects(["a": 1, "b": 1])
    let value = StoredValue(peer.chain, forKey: "a")
    let all = StoredCollection(peer.chain)
    await until { value.value == 1 && all["a"] == 1 && all["b"] == 1 && !all.hasMore }
    // The server tells of changes from some time after the first use of the store.
    var number = 1
    func follows() async throws {
      number += 1
      try await server.run("UPDATE observed SET value = '\(number)' WHERE key = 'a'")
      await until { value.value == number && all["a"] == number }
    }
    for _ in 0..<20 { try await follows() }
    try await server.run("INSERT INTO observed (key, value) VALUES ('c', '3')")
    try await server.run("DELETE FROM observed WHERE key = 'b'")
    await until { all["c"] == 3 && all["b"] == nil }
    try await server.endListeners()
    try await follows()
    server.crash()
    try await server.restart()
    try await peer.chain.setObject(100, forKey: "a")
    await until { value.value == 100 && value.phase.error == nil }
    number = 100
    try await follows()
    try await server.run("TRUNCATE observed")
    await until { value.value == nil && all.elements.isEmpty }
  }
}
