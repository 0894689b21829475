import StrataPostgres
import StrataTestKit
import TestSupport
import Testing

/// The contract of the test kit, on one server, with prepared statements and without.
///
/// Serialized: some checks measure expiries of a fifth of a second, and others transfer megabytes.
@Suite(.serialized, .endsInTime) struct PostgresContractTests {
  /// Keys too long for the index are listed last, and the store keeps no files.
  private static let except: Set<Contract> = [.sortedKeys, .fullDisk, .readOnlyFolder]

  @Test(arguments: Contract.allCases)
  func aTableKeeps(_ promise: Contract) async throws {
    let server = try await KitServer("\(promise)")
    try await promise.check(
      Subject(
        "PostgresStorage", except: Self.except, expiryResolution: 1e-6, hugeValueSize: 16 << 20,
        updatesAcrossProcesses: true
      ) { place in
        try PostgresStorage<String>(
          client: PostgresClient(config: server.config), table: place.tableName, durability: .unlogged,
          expiry: place.expiry, clock: place.clock)
      })
  }

  @Test(arguments: [Contract.reading, .anyKey, .batches, .updating, .conditions, .linearizability])
  func aTableWithoutPreparedStatementsKeeps(_ promise: Contract) async throws {
    let server = try await KitServer("unprepared-\(promise)")
    try await promise.check(
      Subject("PostgresStorage, unprepared", except: Self.except, expiryResolution: 1e-6) { place in
        var config = server.config
        config.preparedStatements = false
        return try PostgresStorage<String>(
          client: PostgresClient(config: config), table: place.tableName, durability: .durable,
          expiry: place.expiry, clock: place.clock)
      })
  }
}

extension Place {
  /// The name of the table for a place of the kit: the end of its path.
  var tableName: String { String(path.suffix(60)) }
}
