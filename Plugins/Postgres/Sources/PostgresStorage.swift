#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore
import StrataNetwork

/// A store of bytes in a table of a PostgreSQL database, shared by processes on many machines.
///
/// ```swift
/// let client = PostgresClient(config: try PostgresConfig(url: "postgres://app@db.internal/app?sslmode=verify-full"))
/// let sessions = try PostgresStorage<UUID>(client: client, table: "sessions", expiry: .seconds(3600))
/// try await sessions.setObject(json, forKey: id)
/// ```
///
/// **The table** is created at the first call of any process. Keys may be any text.
///
/// **Expiry** has a resolution of a microsecond, by the clocks of the machines, which must be synchronized to the
/// precision that you need. Expired entries stay in the table until `removeExpiredObjects`, which uses an index.
///
/// **Every call** is one statement and one transaction, takes at most `PostgresConfig.timeout`, and throws
/// `.backendFailed` if there is no reply by then. A write that throws may still have been executed, if the connection
/// was lost or the time was over before the reply arrived. Calls of all tasks share few connections and are pipelined.
///
/// **Batches** are one statement each: all or nothing.
public final class PostgresStorage<Key: StorageKey>: StorageAware {
  /// The type of stored values: bytes. A typed view adds other types.
  public typealias Value = Data

  /// The client of the server that stores the entries.
  public let client: PostgresClient
  /// The clock of this machine, which determines whether entries have expired.
  public let clock: StorageClock
  let expiry: Expiry
  /// The expiry of values that are stored without one, and that large values are stored in parts.
  public var traits: StoreTraits {
    var traits = StoreTraits(ownExpiry: expiry, reporter: reporter)
    traits.keepsParts = true
    return traits
  }
  private let reporter = TierReporter<Key>("postgresql", timing: .all)
  let announcing: PostgresAnnouncing
  let maker: TableMaker
  /// Updates of one key through this store take turns; the server detects conflicts with other clients.
  let updates = KeyOrder<Key>()
  /// The source of invalidations for stores in front, created when the first of them requests it.
  let announced = Locked<InvalidationSource<Key>?>(nil)

  /// Creates a store that shares a client with other stores.
  ///
  /// Throws `.invalidConfiguration` if the name of the table or schema is empty or longer than 63 bytes.
  ///
  /// - Parameters:
  ///   - client: The client of the server.
  ///   - table: The name of the table, in any spelling; it is quoted in all statements.
  ///   - schema: The schema of the table; `nil` for the role's `search_path`.
  ///   - durability: Whether a new table survives a crash of the server. An existing table is not changed.
  ///   - expiry: The expiry of entries that are stored without one.
  ///   - announcing: Whether changes are reported to memory in front of the store.
  ///   - clock: The clock by which entries expire.
  public init(
    client: PostgresClient, table: String, schema: String? = nil, durability: PostgresDurability = .durable,
    expiry: Expiry = .never, announcing: PostgresAnnouncing = .statements, clock: StorageClock = .system
  ) throws {
    self.client = client
    self.clock = clock
    self.expiry = expiry
    self.announcing = announcing
    maker = TableMaker(try Table(table, schema: schema), durability, client)
    client.reconnections.report(to: reporter)
  }

  /// Creates a store with its own client. It connects at the first call.
  ///
  /// Throws `.invalidConfiguration` if the name of the table is empty or longer than 63 bytes.
  public convenience init(
    config: PostgresConfig, table: String, durability: PostgresDurability = .durable, expiry: Expiry = .never
  ) throws {
    try self.init(
      client: PostgresClient(config: config), table: table, durability: durability, expiry: expiry)
  }

  var table: Table { maker.table }

  /// Executes a statement on the table.
  func run(_ query: Query, _ build: (inout Parameters) -> Void) async throws -> Rows {
    try await maker.run(Statement(query, build), on: client)
  }

  /// The maximum number of bytes of a value, or of all values of a batch, in one statement.
  static var largest: Int { 1 << 30 - 1 << 20 }

  /// Throws if one statement cannot contain this number of bytes.
  func check(size: Int) throws(StorageError) {
    if size > Self.largest {
      throw .tooLarge.with(
        "\(size) bytes are more than the 1 GB that a statement can contain; divide the value or the batch")
    }
  }
}
