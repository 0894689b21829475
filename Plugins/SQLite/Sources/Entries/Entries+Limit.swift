import StrataCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Entries {
  /// Records that rows were used just now.
  func note(_ ids: [Int64]) {
    if limit != nil { uses.withLock { uses in for id in ids { uses.append(id) } } }
  }

  /// Runs `body`, which stores rows, and enforces the limit in the same transaction. `body` collects the rows that it
  /// wrote.
  func changing<R: Sendable>(_ body: (Connection, inout [Int64]) throws -> R) throws -> R {
    try database.write { connection in
      var written: [Int64] = []
      let result = try body(connection, &written)
      if let limit { try makeRoom(for: written, below: limit, in: connection) }
      return result
    }
  }

  func refuseTooLarge(_ value: Data, _ key: [UInt8]) throws(StorageError) {
    guard let limit, Int64(key.count + value.count) > limit else { return }
    throw .tooLarge.with(
      "the key and the value have \(key.count + value.count) bytes, and the limit of the store is \(limit)")
  }

  private func makeRoom(for written: [Int64], below limit: Int64, in connection: Connection) throws {
    var total = try Self.integer(.total, in: connection)
    if total <= limit { return note(written) }
    // Written rows come last, so that concurrent reads cannot make them the victims.
    for id in uses.withLock({ $0.takeAll() }) + written {
      try connection.run(.touch) { try $0.bind(id, at: 1) }
    }
    let now = clock.now.timeIntervalSince1970
    var hasExpired = true
    while total > limit {
      if hasExpired {
        hasExpired = try Self.removeExpired(at: now, atMost: 16, in: connection) > 0
      } else if try !removeOldest(in: connection) {
        break
      }
      total = try Self.integer(.total, in: connection)
    }
  }

  /// Removes the least recently used row. Returns `false` if none is left.
  private func removeOldest(in connection: Connection) throws -> Bool {
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
}
