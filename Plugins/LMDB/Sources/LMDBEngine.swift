#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
internal import CLMDB
package import StrataEngines
import Synchronization

/// The engine of `LMDBStorage`: a database of records, two index databases and two for values in parts, in one
/// environment.
///
/// | database   | key                              | value            |
/// |------------|----------------------------------|------------------|
/// | `x`        | the record's key                 | the record       |
/// | `x/expiry` | the deadline, the record's key   | nothing          |
/// | `x/order`  | the sequence number of the write | the record's key |
/// | `x/parts`  | the value's identity, the number | a part           |
/// | `x/owners` | state, the value's identity      | see `OwnerKey`   |
///
/// ```swift
/// // An `LMDBStorage` is an `EngineStorage` of this engine.
/// let sessions = try EngineStorage<UUID, LMDBEngine>(config: LMDBConfig(path: "/var/lib/shop", database: "sessions"))
/// ```
public final class LMDBEngine: TransactionalTable {
  /// The configuration, with the absolute path of the folder.
  package let config: LMDBConfig
  private let lease: EngineLease<Environment>
  let records, deadlines, order: MDB_dbi
  let databases: [MDB_dbi]
  /// The parts of values, and to whom they belong; `nil` in a file of an earlier version that is only read.
  let partDatabases: (parts: MDB_dbi, owners: MDB_dbi)?
  /// Whether a transaction of this store may have left parts that belong to nobody. To look into the database would
  /// nearly double the time of a write.
  let mayHaveDisowned = Atomic(false)

  var environment: Environment { lease.engine }

  /// The name of the records' database.
  package var scope: String { config.database }
  package var updates: KeyOrder<TableKey> { environment.updates }
  package var limit: Int? { config.limit }

  /// Opens the databases, creating missing ones.
  init(_ config: LMDBConfig) throws {
    let name = config.database
    try config.checkName(name, of: "a database", "be 1 to 500 bytes without a slash or NUL") {
      $0.utf8.count <= 500 && !$0.utf8.contains(0x2F)
    }
    self.config = config
    lease = try Environment.lease(config)
    let open = { (transaction: OpaquePointer) in
      let flags = config.isReadOnly ? 0 : MDB_CREATE
      var databases = try ["", "/expiry", "/order"].map {
        try LMDBEngine.open(name + $0, flags, in: transaction)
      }
      do {
        databases += try ["/parts", "/owners"].map { try LMDBEngine.open(name + $0, flags, in: transaction) }
      } catch let error as StorageError where error == .notFound && config.isReadOnly {
        // An earlier version has made the file, and it has no values in parts.
      }
      return databases
    }
    let environment = lease.engine
    let opened =
      try config.isReadOnly
      ? environment.attempt(MDB_RDONLY, open) : environment.write(config.durability, storing: 0, open)
    databases = Array(opened.prefix(3))
    (records, deadlines, order) = (opened[0], opened[1], opened[2])
    partDatabases = opened.count == 5 ? (opened[3], opened[4]) : nil
  }

  /// Opens a database. LMDB allows one thread at a time to do so: call it in a write transaction, or while the
  /// environment is opened.
  private static func open(
    _ name: String, _ options: Int32, in transaction: OpaquePointer
  ) throws -> MDB_dbi {
    var database: MDB_dbi = 0
    let code = mdb_dbi_open(transaction, name, UInt32(options), &database)
    if code == MDB_NOTFOUND {
      throw StorageError.notFound.with(
        "the folder has no database \(String(reflecting: name)), and the store is read-only; choose another")
    }
    try check(code)
    var flags: UInt32 = 0
    try check(mdb_dbi_flags(transaction, database, &flags))
    if flags != 0 {
      throw StorageError.invalidConfiguration.with(
        "the database \(String(reflecting: name)) belongs to another program; choose another name")
    }
    return database
  }

  package func explained(_ error: any Error) -> StorageError { .lmdb(error) }

  // MARK: Reading

  package func read<R: Sendable>(together: Bool, _ body: (LMDBTransaction) throws -> R) throws -> R {
    try environment.read { try body(LMDBTransaction(self, $0)) }
  }

  /// Calls `body` with the bytes of a value in place in the map, unless the entry is missing or expired.
  func withBytes(of text: String, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    try RecordKey.with(text) { key in
      try read(together: false) { transaction in
        guard let record = try transaction.record(key), !record.expiry.isExpired(by: clock) else { return }
        if let value = try record.divided {
          return try transaction.whole(value).withUnsafeBytes { bytes in
            try environment.guests.refusingWrites(of: 0) { try body(bytes) }
          }
        }
        try environment.guests.refusingWrites(of: 0) { try body(record.value) }
      }
    }
  }

  // MARK: Writing

  package func write(storing bytes: Int?, _ body: (LMDBTransaction) throws -> Bool) throws -> Bool {
    try environment.write(config.durability, storing: bytes) { try body(LMDBTransaction(self, $0)) }
  }

  package func refuseTooLarge(_ entry: StoredEntry) throws {
    // Unicode's normalisation form C can have three times the bytes of a text.
    let most = Record.headSize + 3 * entry.text.utf8.count + entry.value.count
    if config.maxSize == 0, most <= Int(UInt32.max) { return }
    try RecordKey.with(entry.text) { key in
      let size = Record.headSize + (key.whole?.count ?? 0) + entry.value.count
      if size > Int(UInt32.max) {
        throw StorageError.tooLarge.with(
          "LMDB stores up to 4 GiB under a key, and the entry would take \(size) bytes; divide the value")
      }
      let needed = environment.pageSize * pages(size, key: key.bytes.count, expires: entry.expiry != .never)
      if let limit = config.limit, needed > limit { throw LimitExceeded(size: needed, limit: limit) }
    }
  }

  package func refuseTooLong(_ length: Int, _ text: String) throws {
    guard let limit = config.limit else { return }
    try RecordKey.with(text) { key in
      let record = Record.headSize + (key.whole?.count ?? 0) + DividedValue.descriptionSize
      // The expiry is not known yet; its index takes a page.
      let needed =
        environment.pageSize * pages(record, key: key.bytes.count, expires: false)
        + size(ofParts: DividedValue(id: ValueID(), length: length, partSize: partSize))
      if needed > limit { throw LimitExceeded(size: needed, limit: limit) }
    }
  }

  /// Returns the number of bytes of the pages of a value's parts: each is stored in pages of its own.
  func size(ofParts value: DividedValue) -> Int {
    let page = environment.pageSize
    let whole = (15 + DividedValue.partHead + value.partSize) / page + 1
    return page * whole * value.partCount
  }

  /// Returns the number of pages of an entry that shares none: one for the record, more if the value has separate
  /// pages, and one for each index.
  ///
  /// LMDB moves a node's value to separate pages, with 16 bytes before it, if two such nodes would not fit on a page. A
  /// node is 8 bytes, the key and the value.
  private func pages(_ record: Int, key: Int, expires: Bool) -> Int {
    let page = environment.pageSize
    let largestNode = (((page - 16) / 2) & ~1) - 2
    let own = 8 + key + record > largestNode ? (15 + record) / page + 1 : 0
    return 2 + own + (expires ? 1 : 0)
  }
}
