internal import CRocksDB

/// RocksDB's statistics for a store's column family and its database.
///
/// ```swift
/// let statistics = readings.statistics
/// print("\(statistics.fileBytes) bytes on disk, \(statistics.blockCacheMisses) blocks read")
/// ```
public struct RocksDBStatistics: Sendable, Equatable {
  /// The tables of one level. New tables are added to level 0; merging moves their entries to higher levels.
  public struct Level: Sendable, Equatable {
    /// The number of tables.
    public let files: Int
    /// The size of the tables on disk.
    public let bytes: Int
  }

  // Statistics of the family
  /// The approximate number of records: one per entry, and one more if it expires.
  public let estimatedRecords: Int
  /// The approximate number of bytes on disk that are still in use.
  public let estimatedLiveBytes: Int
  /// The number of written bytes in memory that are not in a table yet.
  public let memoryTableBytes: Int
  /// The tables on disk, by level.
  public let levels: [Level]
  /// The approximate number of bytes that RocksDB would have to rewrite to finish merging tables.
  public let pendingCompactionBytes: Int

  // Statistics of the database, since it was opened
  /// The number of blocks found in the cache.
  public let blockCacheHits: Int
  /// The number of blocks read from disk.
  public let blockCacheMisses: Int
  /// The number of bytes of blocks in the cache.
  public let blockCacheBytes: Int
  /// The number of bytes of values read by key.
  public let bytesRead: Int
  /// The number of bytes of keys and values that were written or removed.
  public let bytesWritten: Int
  /// The number of errors in the background, while writing and merging tables.
  public let backgroundErrors: Int

  /// The number of bytes of all tables of the family on disk.
  public var fileBytes: Int { levels.reduce(0) { $0 + $1.bytes } }
}

extension RocksDBStatistics {
  init(of family: Family, counters: String) {
    func property(_ name: String) -> Int {
      var value: UInt64 = 0
      rocksdb_property_int_cf(family.database, family.handle, "rocksdb.\(name)", &value)
      return Int(clamping: value)
    }
    let counts = Self.parse(counters)
    estimatedRecords = property("estimate-num-keys")
    estimatedLiveBytes = property("estimate-live-data-size")
    memoryTableBytes = property("cur-size-all-mem-tables")
    pendingCompactionBytes = property("estimate-pending-compaction-bytes")
    blockCacheBytes = property("block-cache-usage")
    backgroundErrors = property("background-errors")
    blockCacheHits = counts["rocksdb.block.cache.hit"] ?? 0
    blockCacheMisses = counts["rocksdb.block.cache.miss"] ?? 0
    bytesRead = counts["rocksdb.bytes.read"] ?? 0
    bytesWritten = counts["rocksdb.bytes.written"] ?? 0
    levels = family.levels()
  }

  /// Parses counters in lines of the form `name COUNT : number`.
  static func parse(_ counters: String) -> [Substring: Int] {
    var counts: [Substring: Int] = [:]
    for line in counters.split(separator: "\n") {
      let words = line.split(separator: " ")
      if words.count == 4, words[1] == "COUNT", let count = Int(words[3]) { counts[words[0]] = count }
    }
    return counts
  }
}

extension Family {
  fileprivate func levels() -> [RocksDBStatistics.Level] {
    guard let family = rocksdb_get_column_family_metadata_cf(database, handle) else { return [] }
    defer { rocksdb_column_family_metadata_destroy(family) }
    return (0..<rocksdb_column_family_metadata_get_level_count(family)).compactMap { index in
      guard let level = rocksdb_column_family_metadata_get_level_metadata(family, index) else { return nil }
      defer { rocksdb_level_metadata_destroy(level) }
      return RocksDBStatistics.Level(
        files: rocksdb_level_metadata_get_file_count(level),
        bytes: Int(clamping: rocksdb_level_metadata_get_size(level)))
    }
  }
}
