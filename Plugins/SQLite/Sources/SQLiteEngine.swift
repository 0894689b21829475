internal import CSQLite
import Synchronization
package import StrataEngines

/// The engine of `SQLiteStorage`: the rows of a table in a database file, which each store opens for itself, with one
/// connection for writing and several for reading.
///
/// ```swift
/// // An `SQLiteStorage` is an `EngineStorage` of this engine.
/// let users = try EngineStorage<String, SQLiteEngine>(config: SQLiteConfig(path: "/var/lib/app/app.db"))
/// ```
public final class SQLiteEngine: TransactionalTable {
  /// The state that all stores of this process over one file share.
  private final class SharedFile: Sendable {
    /// Held while a store has a write transaction, or waits for another process to end its own. SQLite would order the
    /// writers of one process too, but by sleeping and polling.
    let writing = Locked(())
    /// Per-row ordering of the running updates.
    let updates = KeyOrder<TableKey>()

    static let all = SharedEngines<SharedFile> { _ in }
  }

  /// The configuration, with the absolute path of the file.
  package let config: SQLiteConfig
  package let scope: String
  /// The file that the path led to at the opening.
  private let identity: FileIdentity?
  private let file: EngineLease<SharedFile>
  /// Used only while `writing` is locked.
  private let writer: Connection
  /// The connections for reading, opened when first needed. Each read takes the first that is free.
  private let readers = Lanes<Connection?>(count: 16) { nil }
  /// The rows that were used, oldest first: reads must not write to the file, so uses are kept until room must be made.
  /// A row whose use was dropped looks older than it is, but many others were used since.
  private let uses = Locked<[Int64]>([])
  private static let longestUses = 4096

  /// Whether the file is known to have the tables for values in parts.
  let hasParts = Atomic(false)

  /// Opens the file, creates missing parts, and checks that the table belongs to a store. A file of another kind is
  /// left unchanged.
  init(_ config: SQLiteConfig) throws {
    try config.prepareFolder()
    self.config = config
    scope = EntryTable.folded(config.table)
    writer = try Connection(config, SQLITE_OPEN_CREATE)
    identity = FileIdentity(path: config.path)
    file = try SharedFile.all.lease(identity?.text ?? config.path) { SharedFile() }
    if config.isReadOnly {
      try writer.requireTable()
    } else if try !writing({ try $0.prepareFile(config) }) {
      try transaction { try $0.createTable() }
    }
    hasParts.store(try writer.hasPartTables(), ordering: .relaxed)
  }

  package var updates: KeyOrder<TableKey> { file.engine.updates }
  package func explained(_ error: any Error) -> StorageError { config.explained(error) }
  package var limit: Int? { config.limit }

  // MARK: Reading

  /// Each statement sees one state of the file, whatever is written meanwhile.
  package func read<R: Sendable>(together: Bool, _ body: (SQLiteTransaction) throws -> R) throws -> R {
    try mending {
      try readers.withFree { reader in
        let connection = try reader ?? Connection(config, 0)
        reader = connection
        let transaction = SQLiteTransaction(engine: self, connection: connection)
        defer { noteUses(of: connection) }
        if !together { return try body(transaction) }
        return try connection.transaction(.beginReading) { try body(transaction) }
      }
    }
  }

  /// Records the rows that the transaction of a connection has used.
  private func noteUses(of connection: Connection) {
    defer { connection.used = [] }
    guard let ids = connection.used, !ids.isEmpty else { return }
    uses.withLock { uses in
      uses += ids
      if uses.count > Self.longestUses { uses.removeFirst(uses.count - Self.longestUses / 2) }
    }
  }

  /// Returns the rows that were used and are not written to the file yet, each once, by last use, and forgets them.
  func takeUses() -> [Int64] {
    var ids: [Int64] = []
    uses.withLock { swap(&$0, &ids) }
    var seen: Set<Int64> = []
    return ids.reversed().filter { seen.insert($0).inserted }.reversed()
  }

  // MARK: Writing

  package func write(storing bytes: Int?, _ body: (SQLiteTransaction) throws -> Bool) throws -> Bool {
    try mending {
      try transaction { connection in
        defer { noteUses(of: connection) }
        return try body(SQLiteTransaction(engine: self, connection: connection))
      }
    }
  }

  package func refuseTooLarge(_ entry: StoredEntry) throws {
    try refuseTooLong(entry.value.count, entry.text)
  }

  package func refuseTooLong(_ length: Int, _ text: String) throws {
    guard let limit = config.limit else { return }
    let size = text.withCanonicalUTF8(\.count) + length
    if size > limit { throw LimitExceeded(size: size, limit: limit) }
  }

  /// Changes the file in one transaction: `body` takes effect as a whole or not at all.
  func transaction<R: Sendable>(_ body: (Connection) throws -> R) throws -> R {
    let start = ContinuousClock.now
    return try writing { writer in
      // The time spent waiting in this process counts towards the timeout.
      let waited = (ContinuousClock.now - start).components
      writer.waitForLocks(config.busyTimeout - Double(waited.seconds) - Double(waited.attoseconds) * 1e-18)
      if FileIdentity(path: config.path) != identity {
        throw StorageError.backendFailed.with(
          "the file was moved or deleted while the store had it open, and this write would be lost; "
            + "open the store again")
      }
      return try writer.transaction(.beginWriting) { try body(writer) }
    }
  }

  /// Runs `body` while no other store of this process writes to the file.
  func writing<R: Sendable>(_ body: (Connection) throws -> R) throws -> R {
    if config.isReadOnly { throw StorageError.readOnly }
    return try file.engine.writing.withLock { _ in try body(writer) }
  }

  /// Runs `body`. If it fails because the table was dropped, recreates the table and runs `body` once more.
  private func mending<R>(_ body: () throws -> R) throws -> R {
    do { return try body() } catch let error as SQLiteError where error.code == SQLITE_ERROR {
      if config.isReadOnly { throw error }
      hasParts.store(false, ordering: .relaxed)
      try transaction { try $0.createTable() }
      return try body()
    }
  }
}
