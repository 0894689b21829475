import CRocksDB
import Foundation
import StrataCore
import TestSupport

@testable import StrataRocksDB

/// A folder for a test's database, and the engine's own view of its files.
struct TestFolder: Sendable {
  let url = TemporaryFolder().url

  var path: String { url.path + "/db" }

  func config(_ change: (inout RocksDBConfig) -> Void = { _ in }) -> RocksDBConfig {
    var config = RocksDBConfig(path: path)
    change(&config)
    return config
  }

  /// Opens a store; after the last one was released, each call corresponds to a restart.
  func open<Key: StorageKey>(
    _ type: Key.Type = String.self, _ change: (inout RocksDBConfig) -> Void = { _ in }
  ) throws -> RocksDBStorage<Key> {
    try RocksDBStorage(config: config(change))
  }

  func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }

  /// Returns the files of tables, the newest last.
  func tables() throws -> [URL] {
    try names().filter { $0.hasSuffix(".sst") }.map { URL(filePath: path).appending(path: $0) }
  }
}

/// A database opened by the engine's own functions with default settings, as by another program.
final class PlainDatabase {
  let handle: OpaquePointer
  private let options: OpaquePointer
  private(set) var families: [String: OpaquePointer] = [:]

  init(_ path: String, _ configure: (OpaquePointer) -> Void = { _ in }) throws {
    let options: OpaquePointer = rocksdb_options_create()
    self.options = options
    rocksdb_options_set_create_if_missing(options, 1)
    configure(options)
    var names = ["default"]
    if FileManager.default.fileExists(atPath: path + "/CURRENT") {
      var count = 0
      let list = try calling { rocksdb_list_column_families(options, path, &count, $0) }
      names = (0..<count).compactMap { list?[$0].map { String(cString: $0) } }
      rocksdb_list_column_families_destroy(list, count)
    }
    var handles = [OpaquePointer?](repeating: nil, count: names.count)
    let texts = names.map { strdup($0) }
    defer { texts.forEach { free($0) } }
    do {
      handle = try making {
        rocksdb_open_column_families(
          options, path, Int32(names.count), texts.map { UnsafePointer($0) },
          names.map { _ in options }, &handles, $0)
      }
    } catch {
      rocksdb_options_destroy(options)
      throw error
    }
    for (name, family) in zip(names, handles) { families[name] = family }
  }

  deinit {
    for family in families.values { rocksdb_column_family_handle_destroy(family) }
    rocksdb_close(handle)
    rocksdb_options_destroy(options)
  }

  func make(_ family: String) throws {
    families[family] = try calling { rocksdb_create_column_family(handle, options, family, $0) }
  }

  func put(_ key: String, _ record: [UInt8], in family: String) throws {
    let write = rocksdb_writeoptions_create()
    defer { rocksdb_writeoptions_destroy(write) }
    try record.withUnsafeBytes { record in
      try calling {
        rocksdb_put_cf(
          handle, write, families[family], key, key.utf8.count, record.characters, record.count, $0)
      }
    }
  }

  func flush(_ family: String) throws {
    let flush = rocksdb_flushoptions_create()
    defer { rocksdb_flushoptions_destroy(flush) }
    try calling { rocksdb_flush_cf(handle, flush, families[family], $0) }
  }

  /// Returns all records of a family, in order.
  func records(_ family: String) -> [(key: [UInt8], record: [UInt8])] {
    let read = rocksdb_readoptions_create()
    defer { rocksdb_readoptions_destroy(read) }
    let iterator = rocksdb_create_iterator_cf(handle, read, families[family])
    defer { rocksdb_iter_destroy(iterator) }
    rocksdb_iter_seek_to_first(iterator)
    var found: [(key: [UInt8], record: [UInt8])] = []
    while rocksdb_iter_valid(iterator) != 0 {
      var length = 0
      let key = rocksdb_iter_key(iterator, &length)
      let keyBytes = Array(UnsafeRawBufferPointer(start: key, count: length))
      let record = rocksdb_iter_value(iterator, &length)
      found.append((keyBytes, Array(UnsafeRawBufferPointer(start: record, count: length))))
      rocksdb_iter_next(iterator)
    }
    return found
  }

  /// Returns the keys of all records of a family as text.
  func keys(_ family: String) -> [String] { records(family).map { String(decoding: $0.key, as: UTF8.self) } }
}

/// Returns incompressible bytes that differ everywhere for different seeds.
func bytes(_ count: Int, seed: UInt64 = 0) -> Data {
  var generator = SeededGenerator(seed: seed)
  var data = Data(count: (count + 7) / 8 * 8)
  data.withUnsafeMutableBytes { (bytes: UnsafeMutableRawBufferPointer) in
    for offset in stride(from: 0, to: count, by: 8) {
      bytes.storeBytes(of: generator.next(), toByteOffset: offset, as: UInt64.self)
    }
  }
  return data.prefix(count)
}

func text(_ string: String) -> Data { Data(string.utf8) }

/// Returns the `StorageError` that `body` throws, or `nil` if it throws none.
func failure<R>(_ body: () throws -> R) -> StorageError? {
  do { _ = try body() } catch { return error as? StorageError }
  return nil
}
