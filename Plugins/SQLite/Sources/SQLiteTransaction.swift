#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif
package import StrataEngines

/// A transaction, or a single read, over the rows of a table. Its caller holds the engine and the connection.
package struct SQLiteTransaction: EntryTransaction {
  unowned(unsafe) let engine: SQLiteEngine
  unowned(unsafe) let connection: Connection

  package func entry(_ text: String) throws -> Entry<Data>? {
    try text.withCanonicalUTF8 { key in
      // `nil` inside: the value is stored in parts. A variable for it would be allocated with each read.
      let found = try connection.first(.find, [.text(key)]) { row -> Entry<Data>? in
        guard let expiry = try row.plainExpiry(1) else { return nil }
        let entry = Entry(object: Data(try row.bytes(2)), expiry: expiry)
        if engine.config.limit != nil { connection.used?.append(row.integer(0)) }
        return entry
      }
      guard let found else { return nil }
      return try found ?? assembled(text)
    }
  }

  /// Returns the entry of a row whose value is stored in parts. The row is read again.
  @inline(never)
  private func assembled(_ text: String) throws -> Entry<Data>? {
    switch try stored(text) {
    case nil: nil
    case .whole(let entry)?: entry
    case .divided(let value, let expiry)?: Entry(object: try whole(value), expiry: expiry)
    }
  }

  package func expiry(_ text: String) throws -> Expiry? {
    try text.withCanonicalUTF8 { key in try connection.first(.findExpiry, [.text(key)]) { try $0.expiry(0) } }
  }

  /// Keys in a non-canonical form, written by other programs, have no text, because no read could find them.
  package func eachKey(from position: [UInt8]?, validAt now: Date, _ body: StoreTable.KeyVisitor) throws {
    let query = position == nil ? Query.listKeys : .listKeysInOrder
    try PartsExpiry.withBound(now) { bound in
      try (position ?? []).withUnsafeBufferPointer { start in
        let parameters = [Parameter.expiry(.date(now)), .text(bound), .text(start)]
        try connection.run(query, position == nil ? parameters.dropLast() : parameters) { row in
          let text = try row.text(0)
          let isCanonical = text?.withCanonicalUTF8 { $0.elementsEqual(text?.utf8 ?? "".utf8) } ?? false
          return try body(try row.bytes(0), isCanonical ? text : nil)
        }
      }
    }
  }

  package func size() throws -> Int {
    try connection.first(engine.config.limit == nil ? .measure : .total) { Int($0.integer(0)) } ?? 0
  }

  package func put(_ text: String, _ value: Data, _ expiry: Expiry) throws {
    try put(text, value, .expiry(expiry))
  }

  func put(_ text: String, _ value: Data, _ expiry: Parameter) throws {
    try text.withCanonicalUTF8 { key in
      try value.withUnsafeBytes { value in
        let query = engine.config.limit == nil ? Query.put : .putForID
        let id = try connection.first(query, [.text(key), expiry, .bytes(value)]) { $0.integer(0) }
        if let id { connection.used?.append(id) }
      }
    }
  }

  package func remove(_ text: String) throws {
    try text.withCanonicalUTF8 { try connection.run(.remove, [.text($0)]) }
  }

  package func removeAll() throws { try connection.run(.removeAll) }

  package func removeExpired(at now: Date, atMost count: Int) throws -> Int {
    try connection.run(.removeExpired, [.expiry(.date(now)), .integer(Int64(count))])
    let removed = connection.changes
    if removed == count { return removed }
    return try PartsExpiry.withBound(now) { bound in
      try connection.run(.removeExpiredInParts, [.text(bound), .integer(Int64(count - removed))])
      return removed + connection.changes
    }
  }

  package func removeOldest() throws -> Bool {
    if let used = connection.used {
      // Written rows are touched last, so that concurrent reads cannot cause their eviction.
      for id in engine.takeUses() + used { try connection.run(.touch, [.integer(id)]) }
      connection.used = nil
    }
    guard let id = try connection.first(.oldest, row: { $0.integer(0) }) else { return false }
    try connection.run(.evict, [.integer(id)])
    // A row that another program has replaced by INSERT OR REPLACE is already gone, and no trigger has run.
    if connection.changes == 0 {
      for query in [Query.subtract, .forget] { try connection.run(query, [.integer(id)]) }
    }
    return true
  }
}

// As by default, but compiled for this type.
extension SQLiteEngine {
  package func entry(_ text: String) throws -> Entry<Data>? {
    // Not by `assembling`, which would be compiled for any type.
    do { return try read(together: false) { try $0.entry(text) } } catch is MissingPart {
      return try read(together: true) { try $0.entry(text) }
    }
  }
  package func expiry(_ text: String) throws -> Expiry? { try read(together: false) { try $0.expiry(text) } }
}
