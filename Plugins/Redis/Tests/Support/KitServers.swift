import StrataRedis
import TestSupport

/// The servers for one check of the test kit.
struct KitServers: Sendable {
  private let fixture: CheckFixture<[UInt16]>

  init<Servers: Sendable>(
    _ name: String, ports: (Servers) -> [Int], start: () async throws -> Servers
  ) async throws {
    fixture = try await CheckFixture("redis-\(name)", note: { ports($0).map(UInt16.init) }, start: start)
  }

  var addresses: [RedisAddress] { fixture.note.map { RedisAddress(host: "127.0.0.1", port: $0) } }
}
