import StrataCore

/// A database file as one store has it open: one connection for writing, and several for reading.
final class Database: Sendable {
  let path: String
  let table: EntryTable
  private let timeout: Duration
  private let readers: ReaderPool
  /// Used only while the lock of `Writers` is held.
  private let writer: Connection
  private let lease: EngineLease<Writers>
  /// Whether the store only reads.
  private let isReadOnly: Bool

  /// What the stores of this process share that have one file open.
  private final class Writers: Sendable {
    /// Held while a store has a write transaction, or waits for another process to end its own. SQLite would order the
    /// writers of one process too, but by sleeping and polling.
    let writing = Locked(())
    /// Per-row ordering of the running updates.
    let updates = KeyOrder<TableKey>()

    /// By the path that SQLite resolved.
    static let shared = SharedEngines<Writers> { _ in }
  }

  /// Opens the file, creates missing parts, and checks that the table belongs to a store. A file that does not fit is
  /// left unchanged.
  init(_ config: SQLiteConfig) throws {
    let path = try StorePath.absolute(config.path)
    let table = try config.checkedTable()
    let timeout = try config.timeout()
    self.path = path
    self.table = table
    self.timeout = timeout
    let isReadOnly = config.isReadOnly
    self.isReadOnly = isReadOnly
    let access = isReadOnly ? Connection.Access.read : .write
    readers = ReaderPool {
      let connection = try Connection(path, for: table, access)
      connection.waitForLocks(timeout)
      return connection
    }
    if !isReadOnly { try Self.prepareFolder(for: path) }
    writer = try Connection(path, for: table, isReadOnly ? .read : .create)
    writer.waitForLocks(timeout)
    lease = try Writers.shared.lease(writer.resolvedPath) { Writers() }
    let isComplete = isReadOnly ? try table.isThere(in: writer) : try prepare(config, within: timeout)
    if !isComplete { try transaction(table.create) }
  }

  /// Makes the file one that a store can write to. Returns whether it has all parts of the table.
  private func prepare(_ config: SQLiteConfig, within timeout: Duration) throws -> Bool {
    try lease.engine.writing.withLock { _ in
      try writer.refuseReadOnly()
      let isComplete = try table.isComplete(in: writer)
      try writer.useWriteAheadLog(within: timeout)
      try writer.run(config.durability.pragmas)
      return isComplete
    }
  }

  /// Per-key ordering of the updates in this process.
  var updates: KeyOrder<TableKey> { lease.engine.updates }

  /// Reads from the file. Each statement sees one state of it, whatever is written meanwhile.
  func read<R>(_ body: (Connection) throws -> R) throws -> R {
    try mending { try readers.withConnection(body) }
  }

  /// Reads from one state of the file with several statements.
  func readTogether<R>(_ body: (Connection) throws -> R) throws -> R {
    try read { connection in try connection.transaction(.beginReading) { try body(connection) } }
  }

  /// Changes the file in one transaction: `body` takes effect as a whole or not at all.
  func write<R: Sendable>(_ body: (Connection) throws -> R) throws -> R {
    try mending { try transaction(body) }
  }

  private func transaction<R: Sendable>(_ body: (Connection) throws -> R) throws -> R {
    if isReadOnly { throw StorageError.readOnly }
    let start = ContinuousClock.now
    return try lease.engine.writing.withLock { _ in
      // The time spent waiting in this process counts towards the timeout.
      writer.waitForLocks(timeout - (ContinuousClock.now - start))
      if writer.hasMoved {
        throw StorageError.backendFailed.with(
          "the file was moved or deleted while the store had it open, and what is written now would be lost; "
            + "open the store again")
      }
      return try writer.transaction(.beginWriting) {
        // Whoever takes the lease over from now on writes after this transaction.
        try StorageLease.current?.check()
        return try body(writer)
      }
    }
  }

  /// Runs `body`. If it fails because the table was dropped, recreates the table and runs `body` once more.
  private func mending<R>(_ body: () throws -> R) throws -> R {
    do { return try body() } catch let error as SQLiteError where error.isAboutSchema && !isReadOnly {
      try transaction(table.create)
      return try body()
    }
  }

  /// Rewrites the file, which shrinks when its write-ahead log has been moved into it.
  func compact() throws {
    if isReadOnly { throw StorageError.readOnly }
    try lease.engine.writing.withLock { _ in
      try writer.run("VACUUM")
      try writer.run("PRAGMA wal_checkpoint(TRUNCATE)")
    }
  }

  private static func prepareFolder(for path: String) throws {
    if let file = FileIdentity(path: path) {
      if !file.isFolder { return }
      throw StorageError.invalidConfiguration.with(
        "there is a folder in the place of the database file; choose another path")
    }
    let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    if !folder.isEmpty { try StorePath.makeFolder(folder) }
  }
}
