#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// A transaction, or a single read, over the rows of a table.
final class SQLiteTransaction: EntryTransaction {
  private let engine: SQLiteEngine
  private let connection: Connection
  /// The rows read by this transaction whose use is not yet written to the file. Empty if the table has no limit.
  private(set) var used: [Int64] = []
  private var knowsUses = false

  init(_ engine: SQLiteEngine, _ connection: Connection) {
    self.engine = engine
    self.connection = connection
  }

  // MARK: Reading

  func entry(_ text: String) throws -> Entry<Data>? {
    try text.withCanonicalUTF8 { key in
      try connection.first(.find, [.text(key)]) { row in
        let entry = Entry(object: Data(try row.bytes(2)), expiry: try row.expiry(1))
        if engine.limit != nil { used.append(row.integer(0)) }
        return entry
      }
    }
  }

  func expiry(_ text: String) throws -> Expiry? {
    try text.withCanonicalUTF8 { key in try connection.first(.findExpiry, [.text(key)]) { try $0.expiry(0) } }
  }

  /// Keys in a non-canonical form, written by other programs, have no text, because no read could find them.
  func eachKey(from position: [UInt8]?, validAt now: Date, _ body: StoreTable.KeyVisitor) throws {
    let query = position == nil ? Query.listKeys : .listKeysInOrder
    try (position ?? []).withUnsafeBufferPointer { start in
      let parameters = [Parameter.expiry(.date(now)), .text(start)]
      try connection.run(query, position == nil ? parameters.dropLast() : parameters) { row in
        let text = try row.text(0)
        let isCanonical = text?.withCanonicalUTF8 { $0.elementsEqual(text?.utf8 ?? "".utf8) } ?? false
        return try body(try row.bytes(0), isCanonical ? text : nil)
      }
    }
  }

  func size() throws -> Int {
    try connection.first(engine.limit == nil ? .measure : .total) { Int($0.integer(0)) } ?? 0
  }

  // MARK: Writing

  func put(_ text: String, _ value: Data, _ expiry: Expiry) throws {
    try text.withCanonicalUTF8 { key in
      try value.withUnsafeBytes { value in
        let query = engine.limit == nil ? Query.put : .putForID
        try connection.run(query, [.text(key), .expiry(expiry), .bytes(value)]) { row in
          used.append(row.integer(0))
          return true
        }
      }
    }
  }

  func remove(_ text: String) throws {
    try text.withCanonicalUTF8 { try connection.run(.remove, [.text($0)]) }
  }

  func removeAll() throws { try connection.run(.removeAll) }

  func removeExpired(at now: Date, atMost count: Int) throws -> Int {
    try connection.run(.removeExpired, [.expiry(.date(now)), .integer(Int64(count))])
    return connection.changes
  }

  /// Removes the least recently used row.
  func removeOldest() throws -> Bool {
    if !knowsUses {
      knowsUses = true
      // Written rows are touched last, so that concurrent reads cannot cause their eviction.
      for id in engine.takeUses() + used { try connection.run(.touch, [.integer(id)]) }
      used = []
    }
    guard let (id, size) = try connection.first(.oldest, row: { ($0.integer(0), $0.integer(1)) }) else {
      return false
    }
    try connection.run(.evict, [.integer(id)])
    if connection.changes == 0 {
      // The row is already gone without its trigger: another program may have replaced it by INSERT OR REPLACE.
      try connection.run(.forget, [.integer(id)])
      try connection.run(.subtract, [.integer(size)])
    }
    return true
  }
}
