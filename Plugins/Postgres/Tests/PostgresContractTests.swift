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

  @Test(arguments: Contract.brief(number: 2))
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
      }
      .losingWrites { place in
        let server = try await PostgresServer.shared.value
        let proxy = Proxy(to: server.port)
        let table = String(place.tableName.suffix(36))
        let store = try server.store(table) { ($0.port, $0.connections) = (UInt16(proxy.port), 1) }
        return LossyStore(store) { write in
          await proxy.lose(write)
        } deliver: {
          proxy.releaseLines()
          // The server executes a late write before it notices that its client is gone.
          try await eventually { try await server.processes(of: table).count == 1 }
        }
      }
      .settling {
        let server = try await PostgresServer.shared.value
        let processes = try await server.processes()
        try await eventually { try await server.processes().isDisjoint(with: processes) }
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
