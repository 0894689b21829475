internal import CSQLite
#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif
package import StrataCore

/// The engine of `SQLiteStorage`: the rows of a table in a database file, which each store opens for itself, with one
/// connection for writing and several for reading.
///
/// ```swift
/// // An `SQLiteStorage` is an `EngineStorage` of this engine.
/// let users = try EngineStorage<String, SQLiteEngine>(config: SQLiteConfig(path: "/var/lib/app/app.db"))
/// ```
public final class SQLiteEngine: TransactionalTable {
  /// The state that all stores of this process share if they have the same file open.
  private final class SharedFile: Sendable {
    /// Held while a store has a write transaction, or waits for another process to end its own. SQLite would order the
    /// writers of one process too, but by sleeping and polling.
    let writing = Locked(())
    /// Per-row ordering of the running updates.
    let updates = KeyOrder<TableKey>()

    static let all = SharedEngines<SharedFile> { _ in }
  }

  /// The absolute path of the file.
  let path: String
  let config: SQLiteConfig
  package let clock: StorageClock
  package let limit: Int?
  package let scope: String
  private let table: EntryTable
  private let timeout: Duration
  /// The identity of the file at `path` when the store was opened.
  private let identity: String?
  private let file: EngineLease<SharedFile>
  /// Used only while `writing` is locked.
  private let writer: Connection
  /// The connections for reading, opened when first needed. The most recently used free connection is taken: its pages
  /// are still in the processor's caches.
  private let readers = Lanes<Connection?>(count: 16) { nil }
  /// The rows that were read since the uses were last written to the file, oldest first. Reads must not write to the
  /// file, so uses are kept here until a write makes room.
  private let uses = Locked<[Int64]>([])
  /// The maximum number of uses kept in memory. A row whose use is dropped seems older than it is, but thousands of
  /// other rows were used after it.
  private static let longestUses = 4096

  /// Opens the file, creates missing parts, and checks that the table belongs to a store. A file of another kind is
  /// left unchanged.
  init(_ config: SQLiteConfig) throws {
    (path, table, timeout) = try config.checked()
    self.config = config
    clock = config.clock
    limit = config.maxSize == 0 ? nil : Int(clamping: config.maxSize)
    scope = EntryTable.folded(config.table)
    let flags = config.isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    writer = try Connection(path, for: table, flags, timeout: timeout)
    identity = FileIdentity(path: path)?.text
    file = try SharedFile.all.lease(identity ?? path) { SharedFile() }
    let isComplete =
      try config.isReadOnly
      ? table.requirePresence(in: writer)
      : writing { try table.prepare($0, config.durability, within: timeout) }
    if !isComplete { try transaction(table.create) }
  }

  package var updates: KeyOrder<TableKey> { file.engine.updates }

  package func explained(_ error: any Error) -> StorageError { config.explained(error) }

  // MARK: Reading

  // The same as the default implementation, but compiled for this type.
  package func entry(_ text: String) throws -> Entry<Data>? {
    try read(together: false) { try $0.entry(text) }
  }

  package func expiry(_ text: String) throws -> Expiry? { try read(together: false) { try $0.expiry(text) } }

  package func read<R: Sendable>(together: Bool, _ body: (any EntryReader) throws -> R) throws -> R {
    try read { connection in
      let transaction = SQLiteTransaction(self, connection)
      defer { note(transaction.used) }
      if !together { return try body(transaction) }
      return try connection.transaction(.beginReading) { try body(transaction) }
    }
  }

  /// Reads from the file. Each statement sees one state of it, despite concurrent writes.
  func read<R: Sendable>(_ body: (Connection) throws -> R) throws -> R {
    try mending {
      try readers.withFree { reader in
        let flags = config.isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
        let connection = try reader ?? Connection(path, for: table, flags, timeout: timeout)
        reader = connection
        return try body(connection)
      }
    }
  }

  /// Records that rows were used just now.
  private func note(_ ids: [Int64]) {
    if limit == nil || ids.isEmpty { return }
    uses.withLock { uses in
      uses += ids
      if uses.count > Self.longestUses { uses.removeFirst(uses.count - Self.longestUses / 2) }
    }
  }

  /// Returns the rows that were used and are not written to the file yet, each once, by last use, and forgets them.
  func takeUses() -> [Int64] {
    let ids = uses.withLock { uses in
      defer { uses.removeAll(keepingCapacity: true) }
      return uses
    }
    var seen: Set<Int64> = []
    return ids.reversed().filter { seen.insert($0).inserted }.reversed()
  }

  // MARK: Writing

  package func write(storing bytes: Int?, _ body: (any EntryTransaction) throws -> Bool) throws -> Bool {
    try mending {
      try transaction { connection in
        let transaction = SQLiteTransaction(self, connection)
        let result = try body(transaction)
        note(transaction.used)
        return result
      }
    }
  }

  package func refuseTooLarge(_ entry: StoredEntry) throws {
    guard let limit else { return }
    let size = entry.text.withCanonicalUTF8(\.count) + entry.value.count
    if size > limit { throw LimitExceeded(size: size, limit: limit) }
  }

  /// Changes the file in one transaction: `body` takes effect as a whole or not at all.
  func transaction<R: Sendable>(_ body: (Connection) throws -> R) throws -> R {
    let start = ContinuousClock.now
    return try writing { writer in
      // The time spent waiting in this process counts towards the timeout.
      writer.waitForLocks(timeout - (ContinuousClock.now - start))
      if FileIdentity(path: path)?.text != identity {
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
      try transaction(table.create)
      return try body()
    }
  }
}
