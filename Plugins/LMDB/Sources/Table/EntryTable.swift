internal import CLMDB
import StrataCore

/// The entries of a store as bytes: a database of records and two index databases, in one environment.
///
/// | database   | key                              | value            |
/// |------------|----------------------------------|------------------|
/// | `x`        | the record's key                 | the record       |
/// | `x/expiry` | the deadline, the record's key   | nothing          |
/// | `x/order`  | the sequence number of the write | the record's key |
///
/// It is independent of the key type, so it is compiled only once.
final class EntryTable: Sendable {
  /// The path of the folder.
  let path: String
  /// The name of the records' database.
  private let name: String
  private let lease: EngineLease<Environment>
  let limit: Int
  let durability: LMDBConfig.Durability
  let records: MDB_dbi
  let deadlines: MDB_dbi
  let order: MDB_dbi

  var environment: Environment {
    @inline(__always) get { lease.engine }
  }

  /// Returns the identity by which updates of a key are ordered, across all stores of the folder.
  func row(_ text: String) -> TableKey { TableKey(table: name, key: text.canonicalUTF8) }

  /// Opens the databases, creating missing ones.
  init(_ config: LMDBConfig, path: String) throws {
    let name = config.database
    if name.isEmpty || name.utf8.count > 500 || name.utf8.contains(where: { $0 == 0x2F || $0 == 0 }) {
      throw StorageError.invalidConfiguration.with(
        "\(String(reflecting: name)) cannot name a database: it must be 1 to 500 bytes without a slash or NUL"
      )
    }
    self.path = path
    self.name = name
    limit = Int(clamping: config.maxSize)
    durability = config.durability
    let lease = try Environment.lease(inFolder: path, as: config)
    func open(_ transaction: OpaquePointer, _ flags: Int32) throws -> [MDB_dbi] {
      try [name, name + "/expiry", name + "/order"].map { try Self.open($0, flags, in: transaction) }
    }
    let opened =
      config.isReadOnly
      ? try lease.engine.opening { try open($0, 0) }
      : try lease.engine.write(durability, .storing(bytes: 0)) { try open($0, MDB_CREATE) }
    (records, deadlines, order) = (opened[0], opened[1], opened[2])
    self.lease = lease
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
}
