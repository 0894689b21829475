import CRocksDBAPI
import Foundation

/// RocksDB through its C API, with the settings of `RocksDBStorage` except its statistics. Values are stored without a
/// header.
///
/// Unchecked `Sendable`: RocksDB's handles may be used from any thread, and the properties never change.
final class RawRocksDB: ByteStore, @unchecked Sendable {
  private let database: OpaquePointer?
  private let family: OpaquePointer?
  private let defaultFamily: OpaquePointer?
  private let reading = rocksdb_readoptions_create()
  private let writing = rocksdb_writeoptions_create()

  init(folder: URL) throws {
    let options = rocksdb_options_create()
    defer { rocksdb_options_destroy(options) }
    rocksdb_options_set_create_if_missing(options, 1)
    rocksdb_options_set_create_missing_column_families(options, 1)
    rocksdb_options_set_compression(options, Int32(rocksdb_lz4_compression))
    rocksdb_options_set_level_compaction_dynamic_level_bytes(options, 1)
    rocksdb_options_set_max_open_files(options, 512)
    let tables = rocksdb_block_based_options_create()
    defer { rocksdb_block_based_options_destroy(tables) }
    let cache = rocksdb_cache_create_lru(32 << 20)
    defer { rocksdb_cache_destroy(cache) }
    rocksdb_block_based_options_set_block_cache(tables, cache)
    rocksdb_block_based_options_set_filter_policy(tables, rocksdb_filterpolicy_create_bloom_full(10))
    rocksdb_options_set_block_based_table_factory(options, tables)
    let path = folder.appending(path: "raw.rocksdb").path
    let names = ["default", "entries"].map { (name: String) in strdup(name) }
    defer { for name in names { free(name) } }
    let constantNames = names.map { name in name.map { UnsafePointer($0) } }
    var families = [OpaquePointer?](repeating: nil, count: names.count)
    database = try rocksdb {
      rocksdb_open_column_families(
        options, path, Int32(names.count), constantNames, [options, options], &families, $0)
    }
    (defaultFamily, family) = (families[0], families[1])
  }

  deinit {
    rocksdb_readoptions_destroy(reading)
    rocksdb_writeoptions_destroy(writing)
    rocksdb_column_family_handle_destroy(family)
    rocksdb_column_family_handle_destroy(defaultFamily)
    rocksdb_close(database)
  }

  func value(forKey key: String, thread: Int) throws -> Data? {
    try withName(key) { name, count in
      let slice = try rocksdb { rocksdb_get_pinned_cf(database, reading, family, name, count, $0) }
      guard let slice else { return nil }
      defer { rocksdb_pinnableslice_destroy(slice) }
      return data(slice)
    }
  }

  func store(_ value: Data, forKey key: String, thread: Int) throws {
    try withName(key) { name, nameCount in
      try withCharacters(value) { bytes, count in
        try rocksdb { rocksdb_put_cf(database, writing, family, name, nameCount, bytes, count, $0) }
      }
    }
  }

  func values(forKeys keys: [String], thread: Int) throws -> [String: Data] {
    // All names in one block of memory, so that their addresses stay valid.
    var names: [CChar] = []
    let sizes = keys.map(\.utf8.count)
    for key in keys { names += key.utf8.map { CChar(bitPattern: $0) } }
    var slices = [OpaquePointer?](repeating: nil, count: keys.count)
    var errors = [UnsafeMutablePointer<CChar>?](repeating: nil, count: keys.count)
    names.withUnsafeBufferPointer { names in
      var next = names.baseAddress
      let pointers = sizes.map { size in
        defer { next = next.map { $0 + size } }
        return next
      }
      rocksdb_batched_multi_get_cf(
        database, reading, family, keys.count, pointers, sizes, &slices, &errors, false)
    }
    if let error = errors.lazy.compactMap({ $0 }).first {
      throw Failure("RocksDB: \(String(cString: error))")
    }
    var found = [String: Data](minimumCapacity: keys.count)
    for (key, slice) in zip(keys, slices) {
      guard let slice else { continue }
      found[key] = data(slice)
      rocksdb_pinnableslice_destroy(slice)
    }
    return found
  }

  func store(_ values: [String: Data], thread: Int) throws {
    let batch = rocksdb_writebatch_create()
    defer { rocksdb_writebatch_destroy(batch) }
    for (key, value) in values {
      withName(key) { name, nameCount in
        withCharacters(value) { rocksdb_writebatch_put_cf(batch, family, name, nameCount, $0, $1) }
      }
    }
    try rocksdb { rocksdb_write(database, writing, batch, $0) }
  }

  private func data(_ slice: OpaquePointer) -> Data {
    var count = 0
    let bytes = rocksdb_pinnableslice_value(slice, &count)
    return bytes.map { Data(bytes: $0, count: count) } ?? Data()
  }

  private func withName<R>(_ key: String, _ body: (UnsafePointer<CChar>?, Int) throws -> R) rethrows -> R {
    var key = key
    return try key.withUTF8 {
      try $0.withMemoryRebound(to: CChar.self) { try body($0.baseAddress, $0.count) }
    }
  }

  private func withCharacters<R>(
    _ value: Data, _ body: (UnsafePointer<CChar>?, Int) throws -> R
  ) rethrows -> R {
    try value.withUnsafeBytes { bytes in
      try body(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
    }
  }
}

private func rocksdb<R>(
  _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) throws -> R
) throws -> R {
  var error: UnsafeMutablePointer<CChar>?
  let result = try body(&error)
  guard let error else { return result }
  defer { rocksdb_free(error) }
  throw Failure("RocksDB: \(String(cString: error))")
}
