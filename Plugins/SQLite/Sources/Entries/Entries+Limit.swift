import StrataCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Entries {
  func noteUse(of id: Int64) {
    if limit != nil { uses.withLock { $0.append(id) } }
  }

  /// Stores what `body` stores, and keeps the limit with it.
  func changing<R: Sendable>(_ body: (Connection) throws -> R) throws -> R {
    try database.write { connection in
      let result = try body(connection)
      if let limit { try makeRoom(below: limit, in: connection) }
      return result
    }
  }

  func refuseTooLarge(_ value: Data, _ key: [UInt8]) throws(StorageError) {
    guard let limit, Int64(key.count + value.count) > limit else { return }
    throw .tooLarge.with(
      "the key and the value have \(key.count + value.count) bytes, and all together may have \(limit)")
  }

  private func makeRoom(below limit: Int64, in connection: Connection) throws {
    var total = try Self.integer(.total, in: connection)
    if total <= limit { return }
    for id in uses.withLock({ $0.takeAll() }) { try connection.run(.touch) { try $0.bind(id, at: 1) } }
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

  /// Removes what was used the longest ago; `false` if nothing is left.
  private func removeOldest(in connection: Connection) throws -> Bool {
    let oldest = try connection.use(.oldest) { row in
      try row.step() ? (id: row.integer(0), size: row.integer(1)) : nil
    }
    guard let oldest else { return false }
    try connection.run(.evict) { try $0.bind(oldest.id, at: 1) }
    if connection.changes == 0 {
      // The row is gone, and no trigger saw it go: another program may have replaced it by INSERT OR REPLACE.
      try connection.run(.forget) { try $0.bind(oldest.id, at: 1) }
      try connection.run(.subtract) { try $0.bind(oldest.size, at: 1) }
    }
    return true
  }
}
