import CLevelDB
public import Foundation
public import StrataEngines

/// A store of bytes in a LevelDB database: `LevelDBStorage<String>(folder: path) { try LevelDBEngine(path: $0) }`.
public typealias LevelDBStorage<Key: StorageKey> = EngineStorage<Key, LevelDBEngine>

/// LevelDB as an engine. One process at a time can have a folder open.
public final class LevelDBEngine: KeyValueEngine {
  // LevelDB's functions may be called with these handles on any thread. The handles never change.
  nonisolated(unsafe) private let database: OpaquePointer?
  nonisolated(unsafe) private let reading = leveldb_readoptions_create()
  nonisolated(unsafe) private let writing = leveldb_writeoptions_create()

  /// Opens a database, and creates it if necessary.
  public init(path: String) throws {
    let options = leveldb_options_create()
    defer { leveldb_options_destroy(options) }
    leveldb_options_set_create_if_missing(options, 1)
    leveldb_readoptions_set_verify_checksums(reading, 1)
    database = try check { leveldb_open(options, path, &$0) }
  }

  /// Closes the database.
  public func close() {
    leveldb_close(database)
    leveldb_readoptions_destroy(reading)
    leveldb_writeoptions_destroy(writing)
  }

  /// Passes the record of a key to `body`.
  public func read<R>(_ key: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws -> R) throws
    -> R?
  {
    var count = 0
    let found = try check { leveldb_get(database, reading, key.baseAddress, key.count, &count, &$0) }
    guard let found else { return nil }
    defer { leveldb_free(found) }
    return try body(UnsafeRawBufferPointer(start: found, count: count))
  }

  /// Writes and removes records in one batch.
  public func write(_ changes: [EngineChange]) throws {
    let batch = leveldb_writebatch_create()
    defer { leveldb_writebatch_destroy(batch) }
    for change in changes {
      let (key, count) = (change.key, change.key.count)
      if change.record == nil { leveldb_writebatch_delete(batch, key, count) }
      change.record?.withUnsafeBytes { leveldb_writebatch_put(batch, key, count, $0.baseAddress, $0.count) }
    }
    try check { leveldb_write(database, writing, batch, &$0) }
  }

  /// Passes the records from a key on to `body`, all from one state of the database.
  public func scan(from key: UnsafeRawBufferPointer, _ body: Visitor) throws {
    let cursor = leveldb_create_iterator(database, reading)
    defer { leveldb_iter_destroy(cursor) }
    leveldb_iter_seek(cursor, key.baseAddress, key.count)
    while leveldb_iter_valid(cursor) != 0 {
      var (keyCount, count) = (0, 0)
      let key = UnsafeRawBufferPointer(start: leveldb_iter_key(cursor, &keyCount), count: keyCount)
      guard try body(key, .init(start: leveldb_iter_value(cursor, &count), count: count)) else { return }
      leveldb_iter_next(cursor)
    }
    try check { leveldb_iter_get_error(cursor, &$0) }
  }
}

struct LevelDBError: Error, CustomStringConvertible { let description: String }

/// Calls a function of LevelDB, and throws the error that it returns.
@discardableResult
private func check<R>(_ call: (inout UnsafeMutablePointer<CChar>?) -> R) throws -> R {
  var text: UnsafeMutablePointer<CChar>?
  let result = call(&text)
  guard let text else { return result }
  defer { leveldb_free(text) }
  throw LevelDBError(description: String(cString: text))
}
