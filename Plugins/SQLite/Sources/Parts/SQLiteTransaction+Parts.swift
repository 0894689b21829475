#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif
package import StrataEngines
import Synchronization

/// Values in parts, in tables of their own. `EntryTable.partsCreation` describes them.
extension SQLiteTransaction {
  package func stored(_ text: String) throws -> StoredForm? {
    try text.withCanonicalUTF8 { key in
      try connection.first(.find, [.text(key)]) { row in
        if engine.config.limit != nil { connection.used?.append(row.integer(0)) }
        if let expiry = try row.plainExpiry(1) {
          return .whole(Entry(object: Data(try row.bytes(2)), expiry: expiry))
        }
        return .divided(try DividedValue(reading: row.bytes(2)), try row.expiry(1))
      }
    }
  }

  package func put(_ text: String, _ value: DividedValue, _ expiry: Expiry) throws {
    try Array(PartsExpiry.text(value, expiry).utf8).withUnsafeBufferPointer { expiry in
      try put(text, value.description, .text(expiry))
    }
  }

  // MARK: Parts

  package func withPart(
    _ number: Int, of id: ValueID, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Bool {
    try with(id) { id in
      try connection.first(.part, [id, .integer(Int64(number))]) { try body(try $0.bytes(0)) } != nil
    }
  }

  package func putPart(_ record: Data, _ number: Int, of id: ValueID) throws {
    try with(id) { id in
      try record.withUnsafeBytes { try connection.run(.putPart, [id, .integer(Int64(number)), .bytes($0)]) }
    }
  }

  package func removeParts(of id: ValueID, atMost count: Int) throws -> Int {
    try with(id) { id in
      try connection.run(.removeParts, [id, .integer(Int64(count))])
      return connection.changes
    }
  }

  // MARK: Owners

  package func owner(of id: ValueID) throws -> PartOwner? {
    try with(id) { id in try connection.first(.owner, [id], row: owner) }
  }

  package func setOwner(_ owner: PartOwner?, of id: ValueID) throws {
    try with(id) { id in
      switch owner {
      case nil: try connection.run(.removeOwner, [id])
      case .nobody: try connection.run(.setOwner, [id, .null, .null])
      case .writer(let date): try connection.run(.setOwner, [id, .expiry(.date(date)), .null])
      case .entry(let text):
        try text.withCanonicalUTF8 { try connection.run(.setOwner, [id, .null, .text($0)]) }
      }
    }
  }

  package func mayHaveDisowned() throws -> Bool { try !disowned(atMost: 1).isEmpty }

  package func disowned(atMost count: Int) throws -> [ValueID] {
    var ids: [ValueID] = []
    if !engine.hasParts.load(ordering: .relaxed) { return ids }
    try connection.run(.disowned, [.integer(Int64(count))]) { row in
      if let id = try id(row) { ids.append(id) }
      return true
    }
    return ids
  }

  package func eachOwner(all: Bool, _ body: (ValueID, PartOwner) throws -> Void) throws {
    if try !engine.hasParts.load(ordering: .relaxed) && !connection.hasPartTables() { return }
    engine.hasParts.store(true, ordering: .relaxed)
    try connection.run(all ? .owners : .writers) { row in
      if let id = try id(row) { try body(id, try owner(row)) }
      return true
    }
  }

  private func owner(_ row: Row) throws -> PartOwner {
    if let text = try row.text(2) { return .entry(text) }
    if row.isNull(1) { return .nobody }
    return .writer(Date(timeIntervalSince1970: row.number(1)))
  }

  /// Returns the identity in the first column; `nil` for a row of another program.
  private func id(_ row: Row) throws -> ValueID? {
    guard let text = try row.text(0), text.utf8.count == 32, let high = UInt64(text.prefix(16), radix: 16),
      let low = UInt64(text.suffix(16), radix: 16)
    else { return nil }
    return ValueID(high: high, low: low)
  }

  private func with<R>(_ id: ValueID, _ body: (Parameter) throws -> R) throws -> R {
    try Array(id.text.utf8).withUnsafeBufferPointer { try body(.text($0)) }
  }
}

extension SQLiteEngine {
  /// Stores parts, and creates their tables for the first of them.
  package func prepareParts() throws {
    if hasParts.load(ordering: .relaxed) { return }
    try transaction { try $0.createPartTables() }
    hasParts.store(true, ordering: .relaxed)
  }
}
