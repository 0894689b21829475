#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif
internal import CLMDB
package import StrataCore

/// The engine of `LMDBStorage`: a database of records and two index databases, in one environment.
///
/// | database   | key                              | value            |
/// |------------|----------------------------------|------------------|
/// | `x`        | the record's key                 | the record       |
/// | `x/expiry` | the deadline, the record's key   | nothing          |
/// | `x/order`  | the sequence number of the write | the record's key |
///
/// ```swift
/// // An `LMDBStorage` is an `EngineStorage` of this engine.
/// let sessions = try EngineStorage<UUID, LMDBEngine>(config: LMDBConfig(path: "/var/lib/shop", database: "sessions"))
/// ```
public final class LMDBEngine: TransactionalTable {
  /// The path of the folder.
  let path: String
  private let lease: EngineLease<Environment>
  let durability: LMDBConfig.Durability
  package let clock: StorageClock
  package let limit: Int?
  /// The name of the records' database.
  package let scope: String
  let records: MDB_dbi
  let deadlines: MDB_dbi
  let order: MDB_dbi

  var environment: Environment {
    @inline(__always) get { lease.engine }
  }

  package var updates: KeyOrder<TableKey> { environment.updates }

  /// Opens the databases, creating missing ones.
  init(_ config: LMDBConfig) throws {
    let name = config.database
    if name.isEmpty || name.utf8.count > 500 || name.utf8.contains(where: { $0 == 0x2F || $0 == 0 }) {
      throw StorageError.invalidConfiguration.with(
        "\(String(reflecting: name)) cannot name a database: it must be 1 to 500 bytes without a slash or NUL"
      )
    }
    path = try StorePath.absolute(config.path)
    scope = name
    clock = config.clock
    limit = config.maxSize == 0 ? nil : Int(clamping: config.maxSize)
    durability = config.durability
    lease = try Environment.lease(inFolder: path, as: config)
    let flags = config.isReadOnly ? 0 : MDB_CREATE
    func open(_ transaction: OpaquePointer) throws -> [MDB_dbi] {
      try [name, name + "/expiry", name + "/order"].map { try LMDBEngine.open($0, flags, in: transaction) }
    }
    let environment = lease.engine
    let opened =
      config.isReadOnly
      ? try environment.attempt(MDB_RDONLY, open) : try environment.write(durability, storing: 0, open)
    (records, deadlines, order) = (opened[0], opened[1], opened[2])
  }

  /// Called in a write transaction, of which there is only one at a time, as LMDB requires, or at the opening.
  private static func open(
    _ name: String, _ options: Int32, in transaction: OpaquePointer
  ) throws -> MDB_dbi {
    var database: MDB_dbi = 0
    let code = mdb_dbi_open(transaction, name, UInt32(options), &database)
    if code == MDB_NOTFOUND {
      throw StorageError.notFound.with(
        "the folder has no database \(String(reflecting: name)), and is only read; name another database")
    }
    try check(code)
    var flags: UInt32 = 0
    try check(mdb_dbi_flags(transaction, database, &flags))
    if flags != 0 {
      throw StorageError.invalidConfiguration.with(
        "the database \(String(reflecting: name)) was made by another program; choose another name")
    }
    return database
  }

  package func explained(_ error: any Error) -> StorageError { .lmdb(error) }

  // MARK: Reading

  package func entry(_ text: String) throws -> Entry<Data>? {
    try withRecord(text) { record, _ in record?.entry }
  }

  package func expiry(_ text: String) throws -> Expiry? {
    try withRecord(text) { record, _ in record?.expiry }
  }

  package func entries(
    _ count: Int, _ text: (Int) -> String, _ body: (Int, () throws -> Entry<Data>?) throws -> Void
  ) throws {
    try environment.read { transaction, _ in
      let transaction = LMDBTransaction(self, transaction)
      for index in 0..<count {
        let text = text(index)
        try body(index) { try transaction.entry(text) }
      }
    }
  }

  package func eachKey(from position: [UInt8]?, validAt now: Date, _ body: KeyVisitor) throws {
    try environment.read { transaction, _ in
      try LMDBTransaction(self, transaction).each(in: records, from: position ?? []) { key, bytes in
        guard let record = Record(bytes) else { throw Record.foreign }
        if case .date(let date) = record.expiry, date <= now { return true }
        return try body(key, String(validating: RecordKey.plainText(key) ?? record.key, as: UTF8.self))
      }
    }
  }

  package func totalSize() throws -> Int {
    try environment.read { transaction, _ in try LMDBTransaction(self, transaction).size() }
  }

  /// Calls `body` with the bytes of an unexpired value in place in the map, if there is one.
  func withBytes(of text: String, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    try withRecord(text) { record, slot in
      guard let record, !record.expiry.isExpired(by: clock) else { return }
      try environment.readers.withGuest(in: slot) { try body(record.value) }
    }
  }

  @inline(__always)
  private func withRecord<R>(_ text: String, _ body: (Record?, ReaderPool.Slot) throws -> R) throws -> R {
    try RecordKey.with(text) { key in
      try environment.read { transaction, slot in
        try body(try LMDBTransaction(self, transaction).record(key), slot)
      }
    }
  }

  // MARK: Writing

  package func write(
    storing bytes: Int?, _ body: (any EntryTransaction) throws -> Bool
  ) throws -> Bool {
    try environment.write(durability, storing: bytes) { try body(LMDBTransaction(self, $0)) }
  }

  package func refuseTooLarge(_ entry: StoredEntry) throws {
    // Unicode's normalisation form C can have three times the bytes of a text.
    let most = Record.headSize + 3 * entry.text.utf8.count + entry.value.count
    if limit == nil, most <= Int(UInt32.max) { return }
    try RecordKey.with(entry.text) { key in
      let size = Record.headSize + (key.whole?.count ?? 0) + entry.value.count
      if size > Int(UInt32.max) {
        throw StorageError.tooLarge.with(
          "LMDB stores up to 4 GiB under a key, and this would take \(size) bytes")
      }
      let needed = environment.pageSize * pages(size, key: key.bytes.count, expires: entry.expiry != .never)
      if let limit, needed > limit {
        throw StorageError.tooLarge.with(
          "the entry would take \(needed) bytes in whole pages, and the limit of the store is \(limit)")
      }
    }
  }

  /// Returns the number of pages of an entry that is alone: one for the record, further ones if the value has its own,
  /// and one for each index.
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
