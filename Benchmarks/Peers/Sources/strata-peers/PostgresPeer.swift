import BenchHarness
import Foundation
import Logging
import NIOCore
import NIOFoundationCompat
import PostgresNIO
import StrataPostgres

/// Values in one PostgreSQL database, by `PostgresStorage` and by postgres-nio.
enum PostgresPeer {
  private struct Write: PostgresPreparedStatement {
    typealias Row = Void
    static let sql = """
      INSERT INTO theirs (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value
      """
    let key: String
    let value: Data

    func makeBindings() -> PostgresBindings {
      var bindings = PostgresBindings()
      bindings.append(key)
      bindings.append(ByteBuffer(bytes: value))
      return bindings
    }

    func decodeRow(_ row: PostgresRow) {}
  }

  private struct Read: PostgresPreparedStatement {
    typealias Row = ByteBuffer
    static let sql = "SELECT value FROM theirs WHERE key = $1"
    let key: String

    func makeBindings() -> PostgresBindings {
      var bindings = PostgresBindings()
      bindings.append(key)
      return bindings
    }

    func decodeRow(_ row: PostgresRow) throws -> ByteBuffer { try row.decode(ByteBuffer.self) }
  }

  static func measure(port: UInt16, into table: inout Table) async throws {
    let store = try PostgresStorage<String>(
      config: PostgresConfig(port: port, user: "strata"), table: "ours")
    var configuration = PostgresClient.Configuration(
      host: "127.0.0.1", port: Int(port), username: "strata", password: nil, database: "postgres",
      tls: .disable)
    configuration.options.maximumConnections = 8
    let client = PostgresClient(configuration: configuration, backgroundLogger: Logger(label: "peers"))
    let running = Task { await client.run() }
    defer { running.cancel() }
    try await client.query("CREATE TABLE theirs (key text PRIMARY KEY, value bytea NOT NULL)")
    let (keys, value) = (Peers.keys, Peers.value)
    for key in keys {
      try await store.setObject(value, forKey: key)
      for try await _ in try await client.execute(Write(key: key, value: value)) {}
    }
    try await Peers.compare("postgres-nio", "set", into: &table) { draw in
      try await store.setObject(value, forKey: keys[draw])
    } theirs: { draw in
      for try await _ in try await client.execute(Write(key: keys[draw], value: value)) {}
    }
    try await Peers.compare("postgres-nio", "get", into: &table) { draw in
      guard try await store.object(forKey: keys[draw]) == value else { throw Peers.WrongAnswer() }
    } theirs: { draw in
      var found: Data?
      for try await bytes in try await client.execute(Read(key: keys[draw])) { found = Data(buffer: bytes) }
      guard found == value else { throw Peers.WrongAnswer() }
    }
  }
}
