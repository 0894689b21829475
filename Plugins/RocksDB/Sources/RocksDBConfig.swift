public import StrataEngines

/// The configuration of a RocksDB store: its location, default expiry, size limit, durability and compression.
///
/// ```swift
/// let readings = try RocksDBStorage<String>(
///   config: RocksDBConfig(path: "/var/lib/app/readings", maxSize: 10_000_000_000, compression: .zstd))
/// ```
public struct RocksDBConfig: Sendable, EngineConfig {
  /// The failures that a completed write survives.
  public enum Durability: Sendable, CaseIterable {
    /// Survives the death of the process and a loss of power: every write waits until the disk has it in the log.
    case full
    /// Survives the death of the process, also by `kill -9`. A loss of power may undo the last writes: the system has
    /// the log, but no write waits for the disk.
    case normal
    /// Survives no failure until the store is closed or `flush()` returns: there is no log. If the process dies
    /// earlier, all later writes are lost, and these may be many. For data that can be recreated.
    case off
  }

  /// The compression of the blocks of tables on disk.
  ///
  /// The log and the entries in memory are not compressed, nor are blocks that would hardly become smaller. Tables
  /// written with an earlier setting remain readable.
  public enum Compression: Sendable, CaseIterable {
    case none, snappy, zlib, lz4, zstd
  }

  /// The path of the folder that holds the database. `~` is not expanded.
  public var path: String
  /// The name of the column family in the database that holds the entries. A missing family is created.
  public var family: String
  /// The expiry of entries that are stored without one.
  public var expiry: Expiry
  /// The maximum number of bytes of all keys and values together, before compression; 0 for no limit.
  ///
  /// When a write would exceed it, the least recently used entries are evicted. RocksDB does not keep sizes and uses.
  /// So the first write under a limit reads the family once, and its keys and sizes are then kept in memory. Writes to
  /// the family run one at a time.
  public var maxSize: UInt
  /// The failures that a completed write survives.
  public var durability: Durability
  /// The compression of tables that are written from now on.
  public var compression: Compression
  /// The number of bytes of uncompressed blocks kept in memory. All stores in the folder share the cache; if they set
  /// different sizes, the largest applies.
  public var blockCacheSize: UInt
  /// The clock that decides whether an entry has expired.
  public var clock: StorageClock

  /// Whether the store only reads the entries, in their state at its opening. Another process may have the database
  /// open. It then creates and changes nothing, and writes throw `.readOnly`. Opening throws if the database is
  /// missing, and `.notFound` if the family is.
  public var isReadOnly = false

  /// Describes a store. Nothing is created or checked until the store is opened.
  public init(
    path: String, family: String = "entries", expiry: Expiry = .never, maxSize: UInt = 0,
    durability: Durability = .normal, compression: Compression = .lz4, blockCacheSize: UInt = 32 << 20,
    clock: StorageClock = .system
  ) {
    self.path = path
    self.family = family
    self.expiry = expiry
    self.maxSize = maxSize
    self.durability = durability
    self.compression = compression
    self.blockCacheSize = blockCacheSize
    self.clock = clock
  }
}
