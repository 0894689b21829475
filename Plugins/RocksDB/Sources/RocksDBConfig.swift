public import StrataCore

/// Where a RocksDB store keeps its entries, for how long, how many, and how safe from a loss of power.
public struct RocksDBConfig: Sendable {
  /// What a completed write survives.
  public enum Durability: Sendable, CaseIterable {
    /// The death of the process and a loss of power: every write waits until the disk has it in the log.
    case full
    /// The death of the process, also by `kill -9`. A loss of power may undo the last writes, all after some moment: the log is with
    /// the system, and nothing waits for the disk.
    case normal
    /// Nothing, until the store is closed or `flush()` returns: there is no log. If the process dies before, all since then, which
    /// may be much, is as if it had not been written. For what can be had again.
    case off
  }

  /// How the blocks of the tables on disk are compressed.
  ///
  /// Entries go through the log and the memory as they are. Blocks that compression would hardly make smaller stay as they are. Tables
  /// that were written before the setting changed remain readable.
  public enum Compression: Sendable, CaseIterable {
    case none, snappy, zlib, lz4, zstd
  }

  /// The path of the folder that holds the database. `~` is not expanded.
  public var path: String
  /// The name of the column family in the database that holds the entries. It is made if it is missing.
  public var family: String
  /// When entries expire that are stored without an expiry of their own.
  public var expiry: Expiry
  /// The limit to the bytes of all entries' keys and values together, as they are before compression; 0 for none.
  ///
  /// When a write would exceed it, what has not been read or written for the longest time goes. This needs what RocksDB does not keep:
  /// the first write under a limit reads through the family once, and keys and sizes are in memory from then on; and writes
  /// to the family go one at a time.
  public var maxSize: UInt
  /// What a completed write survives.
  public var durability: Durability
  /// How tables that are written from now on are compressed.
  public var compression: Compression
  /// How many bytes of blocks are kept in memory, uncompressed. All stores in the folder share them; where they ask for different sizes,
  /// the largest counts.
  public var blockCacheSize: UInt
  /// The clock by which entries expire.
  public var clock: StorageClock

  /// Describes a store. Nothing is made on the disk, and nothing is checked, until the store is opened.
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
