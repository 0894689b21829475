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
    (records, deadlines, order) = try lease.engine.write(durability, .storing(bytes: 0)) { transaction in
      (
        try Self.open(name, in: transaction), try Self.open(name + "/expiry", in: transaction),
        try Self.open(name + "/order", in: transaction)
      )
    }
    self.lease = lease
  }

  /// Called in a write transaction, of which there is only one at a time, as LMDB requires.
  private static func open(_ name: String, in transaction: OpaquePointer) throws -> MDB_dbi {
    var database: MDB_dbi = 0
    try check(mdb_dbi_open(transaction, name, UInt32(MDB_CREATE), &database))
    var flags: UInt32 = 0
    try check(mdb_dbi_flags(transaction, database, &flags))
    if flags != 0 {
      throw StorageError.invalidConfiguration.with(
        "the database \(String(reflecting: name)) was made by another program; choose another name")
    }
    return database
  }
}
