import Foundation
import StrataCore
import StrataPostgres
import TestSupport

func text(_ string: String) -> Data { Data(string.utf8) }

/// Returns the `StorageError` that `body` throws, or `nil` if it succeeds.
func failure<R>(_ body: () async throws -> R) async -> StorageError? {
  do { _ = try await body() } catch { return error as? StorageError }
  return nil
}

extension PostgresServer {
  /// Returns a store with its own client, in a table named after the test.
  func store(
    _ table: String = #function, change: (inout PostgresConfig) -> Void = { _ in }
  ) throws -> PostgresStorage<String> {
    var config = config
    change(&config)
    return try PostgresStorage(
      client: PostgresClient(config: config), table: String(table.prefix(40)), durability: .unlogged)
  }
}

/// A server for a check of the test kit: the shared server, which a second process finds by its port.
struct KitServer: Sendable {
  private let fixture: CheckFixture<Int>

  init(_ name: String) async throws {
    fixture = try await CheckFixture("postgres-\(name)", note: \.port) {
      try await PostgresServer.shared.value
    }
  }

  var config: PostgresConfig {
    PostgresConfig(
      port: UInt16(fixture.note), user: "strata", password: PostgresServer.password, timeout: .seconds(60),
      connectTimeout: .seconds(30))
  }
}
