import Foundation
import Strata
import StrataPostgres
import StrataRedis
import Testing

/// The stores over which the tests of the integrations run.
enum TestStore: CaseIterable, CustomTestStringConvertible {
  case memory, disk, chain, redis, coherentRedis, postgres

  typealias Store = ConditionalStorage<String, Data> & UpdateableStorage<String, Data>

  var testDescription: String {
    switch self {
    case .memory: "memory"
    case .disk: "a disk"
    case .chain: "memory in front of a disk"
    case .redis: "Redis"
    case .coherentRedis: "memory in front of Redis"
    case .postgres: "PostgreSQL"
    }
  }

  /// Opens an empty store. Its server, which the tests share, ends with this process.
  func open() throws -> any Store {
    switch self {
    case .memory: return MemoryStorage<String, Data>(config: MemoryConfig())
    case .disk: return try Self.disk()
    case .chain:
      return AsyncStorage(
        front: MemoryStorage(config: MemoryConfig(countLimit: 100)), back: try Self.disk(), transformer: .data
      )
    case .redis: return try Self.redis()
    case .coherentRedis:
      return AsyncStorage(
        front: MemoryStorage(config: MemoryConfig(countLimit: 100)), back: try Self.redis(),
        transformer: .data)
    case .postgres:
      let server = try TestServer.postgres.get()
      return try PostgresStorage<String>(
        config: PostgresConfig(
          host: server.folder, database: "postgres", user: "strata", password: "strata",
          timeout: Self.patience),
        table: "test_\(UUID().uuidString)")
    }
  }

  private static func disk() throws -> DiskStorage<String> {
    try DiskStorage<String>(
      config: DiskConfig(name: UUID().uuidString, directory: URL(filePath: disks.get().folder)))
  }

  /// A folder that is deleted when this process has ended.
  private static let disks = Result { try TestServer("disks", "echo ready\nread -r") }

  /// How long a client waits for its server. All tests run at once, on a machine that may have much else to do.
  private static let patience = Duration.seconds(60)

  private static func redis() throws -> RedisStorage<String> {
    let port = try #require(UInt16(TestServer.redis.get().note))
    return try RedisStorage<String>(
      config: RedisConfig(addresses: [RedisAddress(host: "127.0.0.1", port: port)], timeout: Self.patience),
      namespace: UUID().uuidString)
  }
}

/// Waits until a condition holds. The suite's time limit ends a wait that would not end.
func until(_ condition: () async throws -> Bool) async throws {
  while try await !condition() { try await Task.sleep(for: .milliseconds(1)) }
}
