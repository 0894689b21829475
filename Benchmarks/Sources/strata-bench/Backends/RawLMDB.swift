import CLMDBAPI
import Foundation

/// LMDB through its C API, with the flags of `LMDBStorage`, or without waiting for the disk. Values are stored without
/// a header. Each reading thread has its own transaction, which is renewed.
///
/// Unchecked `Sendable`: a reading transaction belongs to one thread, and LMDB itself serialises writers.
final class RawLMDB: ByteStore, @unchecked Sendable {
  private let environment: OpaquePointer?
  private let database: MDB_dbi
  private let readers: [OpaquePointer?]

  init(folder: URL, threads: Int, isSynced: Bool = true, mapSize: Int = 1 << 30) throws {
    let folder = folder.appending(path: "raw.lmdb")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var environment: OpaquePointer?
    try lmdb(mdb_env_create(&environment))
    try lmdb(mdb_env_set_mapsize(environment, mapSize))
    try lmdb(mdb_env_set_maxdbs(environment, 4))
    let flags = MDB_NOTLS | (isSynced ? MDB_NOMETASYNC : MDB_NOSYNC)
    try lmdb(mdb_env_open(environment, folder.path, UInt32(flags), 0o600))
    var transaction: OpaquePointer?
    var database = MDB_dbi()
    try lmdb(mdb_txn_begin(environment, nil, 0, &transaction))
    try lmdb(mdb_dbi_open(transaction, "entries", UInt32(MDB_CREATE), &database))
    try lmdb(mdb_txn_commit(transaction))
    readers = try (0..<threads).map { _ in
      var reader: OpaquePointer?
      try lmdb(mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &reader))
      mdb_txn_reset(reader)
      return reader
    }
    self.environment = environment
    self.database = database
  }

  deinit {
    for reader in readers { mdb_txn_abort(reader) }
    mdb_env_close(environment)
  }

  func value(forKey key: String, thread: Int) throws -> Data? {
    try lmdb(mdb_txn_renew(readers[thread]))
    defer { mdb_txn_reset(readers[thread]) }
    return try find(key, readers[thread])
  }

  func store(_ value: Data, forKey key: String, thread: Int) throws {
    try writing { try put(key, value, $0) }
  }

  func values(forKeys keys: [String], thread: Int) throws -> [String: Data] {
    try lmdb(mdb_txn_renew(readers[thread]))
    defer { mdb_txn_reset(readers[thread]) }
    var found = [String: Data](minimumCapacity: keys.count)
    for key in keys { if let value = try find(key, readers[thread]) { found[key] = value } }
    return found
  }

  func store(_ values: [String: Data], thread: Int) throws {
    try writing { transaction in for (key, value) in values { try put(key, value, transaction) } }
  }

  private func writing(_ body: (OpaquePointer?) throws -> Void) throws {
    var transaction: OpaquePointer?
    try lmdb(mdb_txn_begin(environment, nil, 0, &transaction))
    do { try body(transaction) } catch {
      mdb_txn_abort(transaction)
      throw error
    }
    try lmdb(mdb_txn_commit(transaction))
  }

  private func find(_ key: String, _ transaction: OpaquePointer?) throws -> Data? {
    try withName(key) { name in
      var value = MDB_val()
      let code = mdb_get(transaction, database, &name, &value)
      if code == MDB_NOTFOUND { return nil }
      try lmdb(code)
      return Data(bytes: value.mv_data, count: value.mv_size)
    }
  }

  private func put(_ key: String, _ value: Data, _ transaction: OpaquePointer?) throws {
    try withName(key) { name in
      var room = MDB_val(mv_size: value.count, mv_data: nil)
      try lmdb(mdb_put(transaction, database, &name, &room, UInt32(MDB_RESERVE)))
      value.withUnsafeBytes { bytes in
        UnsafeMutableRawBufferPointer(start: room.mv_data, count: room.mv_size).copyMemory(from: bytes)
      }
    }
  }

  private func withName<R>(_ key: String, _ body: (inout MDB_val) throws -> R) rethrows -> R {
    var key = key
    return try key.withUTF8 { key in
      var name = MDB_val(mv_size: key.count, mv_data: UnsafeMutableRawPointer(mutating: key.baseAddress))
      return try body(&name)
    }
  }
}

private func lmdb(_ code: Int32) throws {
  if code != MDB_SUCCESS { throw Failure("LMDB: \(String(cString: mdb_strerror(code)))") }
}
