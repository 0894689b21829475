internal import CRocksDB

/// The settings of the engine: fixed ones, and those from a store's configuration.
enum Options {
  /// Returns settings for the database and for a family in it; the caller must destroy them.
  static func make(_ config: RocksDBConfig, cache: OpaquePointer) -> OpaquePointer {
    let options: OpaquePointer = rocksdb_options_create()
    rocksdb_options_set_create_if_missing(options, 1)
    rocksdb_options_set_compression(options, config.compression.code)
    rocksdb_options_set_level_compaction_dynamic_level_bytes(options, 1)
    // The limit costs about 3 % of a read, but many programs may have no more than 1024 files open.
    rocksdb_options_set_max_open_files(options, 512)
    // Counting costs about 3 % of an operation, but without it the cache's hit ratio is unknown.
    rocksdb_options_enable_statistics(options)
    // RocksDB's log of messages in the folder stays empty. If a full disk prevents writing it, 7.8 ends the process if
    // built with assertions, as on Debian. Errors contain what matters.
    rocksdb_options_set_info_log_level(options, 4)
    rocksdb_options_set_keep_log_file_num(options, 2)
    rocksdb_options_set_stats_dump_period_sec(options, 0)
    rocksdb_options_set_stats_persist_period_sec(options, 0)

    let tables: OpaquePointer = rocksdb_block_based_options_create()
    defer { rocksdb_block_based_options_destroy(tables) }
    rocksdb_block_based_options_set_block_cache(tables, cache)
    // Ten bits per key keep 99 of 100 reads from tables without the key. The tables own the filter from here on.
    rocksdb_block_based_options_set_filter_policy(tables, rocksdb_filterpolicy_create_bloom_full(10))
    rocksdb_options_set_block_based_table_factory(options, tables)
    return options
  }

  /// Returns settings for a write; the caller must destroy them.
  static func write(_ durability: RocksDBConfig.Durability) -> OpaquePointer {
    let options: OpaquePointer = rocksdb_writeoptions_create()
    switch durability {
    case .full: rocksdb_writeoptions_set_sync(options, 1)
    case .normal: break
    case .off: rocksdb_writeoptions_disable_WAL(options, 1)
    }
    return options
  }
}

extension RocksDBConfig.Compression {
  /// RocksDB's number of the compression.
  var code: Int32 {
    switch self {
    case .none: Int32(rocksdb_no_compression)
    case .snappy: Int32(rocksdb_snappy_compression)
    case .zlib: Int32(rocksdb_zlib_compression)
    case .lz4: Int32(rocksdb_lz4_compression)
    case .zstd: Int32(rocksdb_zstd_compression)
    }
  }

  /// RocksDB's name of the compression.
  var name: String {
    switch self {
    case .none: "kNoCompression"
    case .snappy: "kSnappyCompression"
    case .zlib: "kZlibCompression"
    case .lz4: "kLZ4Compression"
    case .zstd: "kZSTD"
    }
  }
}
