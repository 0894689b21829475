internal import CRocksDB

/// What RocksDB can tell of a store's column family, and of the database that it is in.
public struct RocksDBStatistics: Sendable, Equatable {
  /// The tables of one level: new ones come to level 0, and sink as they are merged.
  public struct Level: Sendable, Equatable {
    /// How many tables there are.
    public let files: Int
    /// Their size on disk.
    public let bytes: Int
  }

  // Of the family
  /// About how many records there are: entries, and one more for each that expires.
  public let estimatedRecords: Int
  /// About how many bytes on disk hold what would still be found.
  public let estimatedLiveBytes: Int
  /// How many bytes of writes are in memory, not yet in a table.
  public let memoryTableBytes: Int
  /// The tables on disk, by level.
  public let levels: [Level]
  /// About how many bytes RocksDB would have to rewrite to be done with merging tables.
  public let pendingCompactionBytes: Int

  // Of the database, since it was opened
  /// How many blocks were found in the cache.
  public let blockCacheHits: Int
  /// How many blocks had to be read from disk.
  public let blockCacheMisses: Int
  /// How many bytes of blocks the cache holds.
  public let blockCacheBytes: Int
  /// How many bytes of values were read by key.
  public let bytesRead: Int
  /// How many bytes of keys and values were written or removed by users.
  public let bytesWritten: Int
  /// How many failures RocksDB has met in the background, in writing and merging tables.
  public let backgroundErrors: Int

  /// How many bytes all tables of the family take on disk.
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

  /// The counters in lines of the form `name COUNT : number`.
  private static func parse(_ counters: String) -> [Substring: Int] {
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
