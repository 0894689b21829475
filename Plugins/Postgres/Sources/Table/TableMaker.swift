import StrataCore
import Synchronization

/// Creates the table of a store, and its triggers, if no other process has created them.
final class TableMaker: Sendable {
  let table: Table
  private let durability: PostgresDurability
  private let client: PostgresClientReference
  private let isMade = Atomic(false)
  /// The reason why changes cannot be reported; calls throw it.
  private let refusal = Locked<(any Error)?>(nil)
  private let isRefused = Atomic(false)
  private let announces = Atomic(false)
  /// Whether the table is known to allow values in parts.
  let takesParts = Atomic(false)
  /// The identities of the table and of a trigger, when changes were last known to be reported.
  private let identity = Locked<String?>(nil)

  init(_ table: Table, _ durability: PostgresDurability, _ client: PostgresClient) {
    self.table = table
    self.durability = durability
    self.client = PostgresClientReference(client)
  }

  /// Executes a statement on the table, which is created if it does not exist.
  func run(_ statement: Statement, on client: PostgresClient) async throws -> Rows {
    if isRefused.load(ordering: .relaxed), let error = refusal.withLock({ $0 }) { throw error }
    if client.config.isReadOnly { return try await read(statement, on: client) }
    if !isMade.load(ordering: .acquiring) { try await make(client) }
    do {
      return try await client.run(statement)
    } catch let error as StorageError
      where (error.cause as? PostgresServerError)?.sqlState == Self.undefinedTable
    {
      // The table was dropped, so the statement was not executed.
      isMade.store(false, ordering: .releasing)
      takesParts.store(false, ordering: .relaxed)
      if identity.withLock({ $0 }) == nil {
        try await make(client)
      } else {
        _ = try await prepareAnnouncing()
      }
      return try await client.run(statement)
    }
  }

  /// Executes a statement that changes nothing.
  private func read(_ statement: Statement, on client: PostgresClient) async throws -> Rows {
    if !statement.query.isRead { throw StorageError.readOnly }
    do { return try await client.run(statement) } catch let error as StorageError
      where (error.cause as? PostgresServerError)?.sqlState == Self.undefinedTable
    {
      throw StorageError.notFound.with(
        "the database has no table \(table.quoted), and the store is read-only; choose another",
        place: error.place)
    }
  }

  private static let undefinedTable = "42P01"

  /// Whether the server refuses the triggers that report changes.
  var isForbidden: Bool { isRefused.load(ordering: .relaxed) }

  /// Whether changes are reported.
  var isAnnouncing: Bool { announces.load(ordering: .relaxed) }

  func setRefusal(_ error: (any Error)?) {
    refusal.withLock { $0 = error }
    isRefused.store(error != nil, ordering: .relaxed)
    announces.store(error == nil, ordering: .relaxed)
  }

  private func make(_ client: PostgresClient) async throws {
    _ = try await client.run(Statement(Query(table.creation(durability))))
    isMade.store(true, ordering: .releasing)
  }

  /// Creates the table and the triggers that report its changes, and returns the channel.
  func prepareAnnouncing() async throws -> String {
    guard let client = client.object else { throw PostgresConnectionError.closed }
    try await make(client)
    let place = try await client.run(Statement(Query(table.location)))
    guard place.count == 1, let schema = place.text(0, 0) else { throw StorageError.unread }
    let channel = "strata_" + digest("\(schema)\0\(table.name)").prefix(40)
    _ = try await client.run(Statement(Query(table.triggers(schema: schema, channel: channel))))
    try await setIdentity(client)
    return channel
  }

  /// Returns whether the table is another one since the last call, or lacked its triggers, which are created then:
  /// changes before were not reported. A table that was dropped is not created; the next call to the store does that.
  func isReplaced() async throws -> Bool {
    guard let client = client.object else { throw PostgresConnectionError.closed }
    let old = identity.withLock { $0 }
    let new = try await setIdentity(client)
    if new == Table.untold { _ = try await prepareAnnouncing() }
    return new != old || new == Table.untold
  }

  /// Reads the identity of the table, and returns it.
  @discardableResult
  private func setIdentity(_ client: PostgresClient) async throws -> String {
    let rows = try await client.run(Statement(Query(table.identity, isRead: true)))
    let new = rows.count == 0 ? "" : rows.text(0, 0) ?? Table.untold
    identity.withLock { $0 = new }
    return new
  }
}

/// A reference to a client, for its listener. It must not retain the client, which owns the listener.
private struct PostgresClientReference: Sendable {
  weak let object: PostgresClient?

  init(_ object: PostgresClient) { self.object = object }
}
