import StrataCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The rows of a store by the bytes of their keys. It is independent of the key type and so is compiled only once.
final class Entries: Sendable {
  /// A stored row; the expiry is in seconds since 1970.
  struct Row: Sendable {
    let id: Int64
    let expiry: Double?
    let value: Data
  }

  let database: Database
  let clock: StorageClock
  /// The maximum number of bytes of all keys and values; `nil` for no limit.
  let limit: Int64?
  /// The uses that are not written to the file yet.
  let uses = Locked(RecentUses())

  init(_ config: SQLiteConfig) throws {
    database = try Database(config)
    clock = config.clock
    limit = config.maxSize == 0 ? nil : Int64(clamping: config.maxSize)
  }

  // MARK: Reading

  func find(_ key: [UInt8]) throws -> Row? {
    let row = try database.read { try Self.find(key, in: $0) }
    if let row { note([row.id]) }
    return row
  }

  /// Returns the rows of many keys, in their order, from one state of the file.
  func find(_ keys: [[UInt8]]) throws -> [Row?] {
    let rows = try database.readTogether { connection in try keys.map { try Self.find($0, in: connection) } }
    note(rows.compactMap { $0?.id })
    return rows
  }

  /// Returns the expiry of a row, or `nil` if there is none. Does not read its value.
  func expiry(of key: [UInt8]) throws -> Double?? {
    try database.read { connection in
      try connection.use(.findExpiry, key) { row in try row.step() ? .some(try row.number(0)) : nil }
    }
  }

  /// Returns the keys of all rows that have not expired. Omits keys in a non-canonical form, written by other programs,
  /// because no read could find them.
  func keys() throws -> [String] {
    let now = clock.now.timeIntervalSince1970
    return try database.read { connection in
      try connection.use(.listKeys) { row in
        try row.bind(now, at: 1)
        var keys: [String] = []
        while try row.step() {
          if let key = try row.text(0), key.isCanonical { keys.append(key) }
        }
        return keys
      }
    }
  }

  /// Returns at most `limit` keys from some bytes on, in the order of their bytes, and the bytes from which the others
  /// follow; `nil` after the last one.
  func keys(from lower: [UInt8], atMost limit: Int) throws -> (keys: [String], next: [UInt8]?) {
    let now = clock.now.timeIntervalSince1970
    return try database.read { connection in
      try connection.use(.listKeyPage, lower) { row in
        try row.bind(now, at: 2)
        try row.bind(Int64(limit), at: 3)
        var keys: [String] = []
        var last: Data?
        var count = 0
        while try row.step() {
          count += 1
          if let key = try row.text(0), key.isCanonical { keys.append(key) }
          if count == limit { last = try row.data(0) }
        }
        // No text comes between another and the same one with a zero at its end.
        return (keys, last.map { [UInt8]($0) + [0] })
      }
    }
  }

  /// Returns the number of bytes of all keys and values.
  func totalSize() throws -> Int {
    try database.read { connection in Int(try Self.integer(limit == nil ? .measure : .total, in: connection))
    }
  }

  // MARK: Writing

  /// Stores a value. Throws `.tooLarge` if it alone exceeds the limit.
  func put(_ value: Data, _ key: [UInt8], expiry: Double?) throws {
    try refuseTooLarge(value, key)
    try changing { try put(value, key, expiry: expiry, in: $0, &$1) }
  }

  /// Stores a value if the row is still as it was read. Returns whether it was stored.
  func put(_ value: Data, _ key: [UInt8], replacing seen: Entry<Data>) throws -> Bool {
    try refuseTooLarge(value, key)
    return try changing { connection, written in
      guard let row = try Self.find(key, in: connection), row.value == seen.object,
        Expiry(since1970: row.expiry) == seen.expiry
      else { return false }
      try put(value, key, expiry: row.expiry, in: connection, &written)
      return true
    }
  }

  /// Stores a value unless there is one that has not expired. Returns whether it was stored.
  func putIfAbsent(_ value: Data, _ key: [UInt8], expiry: Double?) throws -> Bool {
    try refuseTooLarge(value, key)
    return try changing { connection, written in
      if let row = try Self.find(key, in: connection), !isExpired(row) { return false }
      try put(value, key, expiry: expiry, in: connection, &written)
      return true
    }
  }

  /// Changes the expiry of a value that has not expired. Returns whether there was one.
  func touch(_ key: [UInt8], expiry: Double?) throws -> Bool {
    try changing { connection, written in
      guard let row = try Self.find(key, in: connection), !isExpired(row) else { return false }
      try put(row.value, key, expiry: expiry, in: connection, &written)
      return true
    }
  }

  private func isExpired(_ row: Row) -> Bool { Expiry(since1970: row.expiry).isExpired(by: clock) }

  /// Stores all values or none.
  func put(_ values: [(key: [UInt8], value: Data, expiry: Double?)]) throws {
    for (key, value, _) in values { try refuseTooLarge(value, key) }
    try changing { connection, written in
      for (key, value, expiry) in values { try put(value, key, expiry: expiry, in: connection, &written) }
    }
  }

  func remove(_ keys: [[UInt8]]) throws {
    try database.write { connection in
      for key in keys { try connection.use(.remove, key) { row in while try row.step() {} } }
    }
  }

  func removeAll() throws { try database.write { try $0.run(.removeAll) } }

  func removeExpired() throws {
    let now = clock.now.timeIntervalSince1970
    // In several transactions, so that other writers need not wait for all of it.
    let share = 1000
    while try database.write({ try Self.removeExpired(at: now, atMost: share, in: $0) }) == share {}
  }

  // MARK: Steps

  private static func find(_ key: [UInt8], in connection: Connection) throws -> Row? {
    try connection.use(.find, key) { row in
      guard try row.step() else { return nil }
      return Row(id: row.integer(0), expiry: try row.number(1), value: try row.data(2))
    }
  }

  /// Stores a value. With a limit, appends the row to `written`.
  func put(
    _ value: Data, _ key: [UInt8], expiry: Double?, in connection: Connection, _ written: inout [Int64]
  ) throws {
    try connection.use(limit == nil ? .put : .putForID, key) { row in
      try row.bind(expiry, at: 2)
      try value.withUnsafeBytes { bytes in
        try row.bind(bytes: bytes, at: 3)
        while try row.step() { written.append(row.integer(0)) }
      }
    }
  }

  static func removeExpired(at now: Double, atMost count: Int, in connection: Connection) throws -> Int {
    try connection.run(.removeExpired) { row in
      try row.bind(now, at: 1)
      try row.bind(Int64(count), at: 2)
    }
    return connection.changes
  }

  /// Returns the single number that a query yields.
  static func integer(_ query: Query, in connection: Connection) throws -> Int64 {
    try connection.use(query) { row in try row.step() ? row.integer(0) : 0 }
  }
}
