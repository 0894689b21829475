#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// A write transaction over the rows of a table.
final class SQLiteTransaction: EntryTransaction {
  private let engine: SQLiteEngine
  private let connection: Connection
  /// The rows that were written, in a table with a limit, and whose use is not in the file.
  private(set) var written: [Int64] = []
  private var knowsUses = false

  init(_ engine: SQLiteEngine, _ connection: Connection) {
    self.engine = engine
    self.connection = connection
  }

  func entry(_ text: String) throws -> Entry<Data>? { try connection.find(text)?.entry }

  func expiry(_ text: String) throws -> Expiry? { try connection.expiry(of: text) }

  func put(_ text: String, _ value: Data, _ expiry: Expiry) throws {
    try connection.use(engine.limit == nil ? .put : .putForID, text) { row in
      if case .date(let date) = expiry {
        try row.bind(date.timeIntervalSince1970, at: 2)
      } else {
        try row.bind(nil, at: 2)
      }
      try value.withUnsafeBytes { bytes in
        try row.bind(bytes: bytes, at: 3)
        while try row.step() { written.append(row.integer(0)) }
      }
    }
  }

  func remove(_ text: String) throws {
    try connection.use(.remove, text) { row in while try row.step() {} }
  }

  func removeAll() throws { try connection.run(.removeAll) }

  func removeExpired(at now: Date, atMost count: Int) throws -> Int {
    try connection.run(.removeExpired) { row in
      try row.bind(now.timeIntervalSince1970, at: 1)
      try row.bind(Int64(count), at: 2)
    }
    return connection.changes
  }

  /// Removes the least recently used row.
  func removeOldest() throws -> Bool {
    try writeUses()
    let oldest = try connection.use(.oldest) { row in
      try row.step() ? (id: row.integer(0), size: row.integer(1)) : nil
    }
    guard let oldest else { return false }
    try connection.run(.evict) { try $0.bind(oldest.id, at: 1) }
    if connection.changes == 0 {
      // The row is already gone without its trigger: another program may have replaced it by INSERT OR REPLACE.
      try connection.run(.forget) { try $0.bind(oldest.id, at: 1) }
      try connection.run(.subtract) { try $0.bind(oldest.size, at: 1) }
    }
    return true
  }

  func size() throws -> Int { try connection.integer(.total) }

  private func writeUses() throws {
    if knowsUses { return }
    knowsUses = true
    // Written rows come last, so that concurrent reads cannot make them the victims.
    for id in engine.takeUses() + written { try connection.run(.touch) { try $0.bind(id, at: 1) } }
    written = []
  }
}
