#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif
package import StrataCore

/// The engine of `SQLiteStorage`: the rows of a table.
///
/// ```swift
/// // An `SQLiteStorage` is an `EngineStorage` of this engine.
/// let users = try EngineStorage<String, SQLiteEngine>(config: SQLiteConfig(path: "/var/lib/app/app.db"))
/// ```
public final class SQLiteEngine: TransactionalTable {
  let database: Database
  package let clock: StorageClock
  package let limit: Int?
  package let scope: String
  private let config: SQLiteConfig
  /// The uses that are not written to the file yet.
  private let uses = Locked(RecentUses())

  init(_ config: SQLiteConfig) throws {
    database = try Database(config)
    clock = config.clock
    limit = config.maxSize == 0 ? nil : Int(clamping: config.maxSize)
    scope = EntryTable.folded(config.table)
    self.config = config
  }

  package var updates: KeyOrder<TableKey> { database.updates }

  package func explained(_ error: any Error) -> StorageError { config.explained(error) }

  // MARK: Reading

  package func entry(_ text: String) throws -> Entry<Data>? {
    let row = try database.read { try $0.find(text) }
    if let row { note([row.id]) }
    return row?.entry
  }

  package func expiry(_ text: String) throws -> Expiry? { try database.read { try $0.expiry(of: text) } }

  package func entries(
    _ count: Int, _ text: (Int) -> String, _ body: (Int, () throws -> Entry<Data>?) throws -> Void
  ) throws {
    var found: [Int64] = []
    try database.readTogether { connection in
      found = []
      for index in 0..<count {
        let text = text(index)
        try body(index) {
          guard let row = try connection.find(text) else { return nil }
          found.append(row.id)
          return row.entry
        }
      }
    }
    note(found)
  }

  package func eachKey(from position: [UInt8]?, validAt now: Date, _ body: KeyVisitor) throws {
    try database.read { try $0.eachKey(from: position, validAt: now.timeIntervalSince1970, body) }
  }

  package func totalSize() throws -> Int {
    try database.read { try $0.integer(limit == nil ? .measure : .total) }
  }

  // MARK: Writing

  package func write(
    storing bytes: Int?, _ body: (any EntryTransaction) throws -> Bool
  ) throws -> Bool {
    try database.write { connection in
      let transaction = SQLiteTransaction(self, connection)
      let result = try body(transaction)
      note(transaction.written)
      return result
    }
  }

  package func refuseTooLarge(_ entry: StoredEntry) throws {
    guard let limit else { return }
    let size = entry.text.withCanonicalUTF8(\.count) + entry.value.count
    if size > limit {
      throw StorageError.tooLarge.with(
        "the key and the value have \(size) bytes, and the limit of the store is \(limit)")
    }
  }

  /// Records that rows were used just now.
  private func note(_ ids: [Int64]) {
    if limit != nil { uses.withLock { uses in for id in ids { uses.append(id) } } }
  }

  /// Returns the rows that were used and are not written to the file yet, and forgets them.
  func takeUses() -> [Int64] { uses.withLock { $0.takeAll() } }
}
