import CLMDB
import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataLMDB

/// A folder for the stores of one test, and a clock.
struct LMDBFolder {
  let url = TemporaryFolder().url
  let time = ManualClock()

  var path: String { url.appending(path: "store").path }

  func open<Key: StorageKey>(
    _ type: Key.Type = String.self, _ change: (inout LMDBConfig) -> Void = { _ in }
  ) throws -> LMDBStorage<Key> {
    // No test here concerns a loss of power.
    var config = LMDBConfig(path: path, durability: .off, clock: time.clock)
    change(&config)
    return try LMDBStorage(config: config)
  }

  /// Opens the folder as another program would, while no store is open; its changes are kept.
  func withRawTransaction<R>(_ body: (_ transaction: OpaquePointer) throws -> R) throws -> R {
    try RawEnvironment(path).write(body)
  }
}

/// An environment that is used through the C API.
final class RawEnvironment {
  private var handle: OpaquePointer?

  init(_ path: String, mapSize: Int = 64 << 20) throws {
    try check(mdb_env_create(&handle))
    try check(mdb_env_set_maxdbs(handle, 16))
    try check(mdb_env_set_mapsize(handle, mapSize))
    try check(mdb_env_open(handle, path, UInt32(MDB_NOTLS), 0o600))
  }

  deinit { mdb_env_close(handle) }

  func write<R>(_ body: (_ transaction: OpaquePointer) throws -> R) throws -> R {
    var begun: OpaquePointer?
    try check(mdb_txn_begin(handle, nil, 0, &begun))
    let transaction = try #require(begun)
    let result: R
    do { result = try body(transaction) } catch {
      mdb_txn_abort(transaction)
      throw error
    }
    try check(mdb_txn_commit(transaction))
    return result
  }
}

/// Returns all items of a database.
func items(of database: String, in transaction: OpaquePointer) throws -> [(key: [UInt8], value: [UInt8])] {
  var handle: MDB_dbi = 0
  try check(mdb_dbi_open(transaction, database, 0, &handle))
  var cursor: OpaquePointer?
  try check(mdb_cursor_open(transaction, handle, &cursor))
  defer { mdb_cursor_close(cursor) }
  var found: [(key: [UInt8], value: [UInt8])] = []
  var key = MDB_val()
  var value = MDB_val()
  while mdb_cursor_get(cursor, &key, &value, MDB_NEXT) == MDB_SUCCESS {
    found.append((Array(key.bytes), Array(value.bytes)))
  }
  return found
}

func put(
  _ value: [UInt8], _ key: [UInt8], into database: String, flags: Int32 = MDB_CREATE,
  in transaction: OpaquePointer
) throws {
  var handle: MDB_dbi = 0
  try check(mdb_dbi_open(transaction, database, UInt32(flags), &handle))
  try key.withUnsafeBytes { key in
    try value.withUnsafeBytes { value in
      var key = MDB_val(key)
      var value = MDB_val(value)
      try check(mdb_put(transaction, handle, &key, &value, 0))
    }
  }
}

func text(_ text: String) -> Data { Data(text.utf8) }

/// Returns bytes that do not repeat and do not compress.
func bytes(_ count: Int, seed: UInt64 = 1) -> Data {
  var random = SeededGenerator(seed: seed)
  var data = Data(capacity: count + 8)
  while data.count < count { withUnsafeBytes(of: random.next()) { data.append(contentsOf: $0) } }
  return data.prefix(count)
}

func failure(_ body: () throws -> some Any) -> StorageError? {
  do { _ = try body() } catch { return error as? StorageError }
  return nil
}
