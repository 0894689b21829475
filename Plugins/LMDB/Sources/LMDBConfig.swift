public import StrataEngines

/// The configuration of an LMDB store: its location, default expiry, size limits and durability.
///
/// ```swift
/// let readings = try LMDBStorage<String>(
///   config: LMDBConfig(path: "/var/lib/app/readings", maxSize: 1_000_000_000, durability: .full))
/// ```
public struct LMDBConfig: Sendable, EngineConfig {
  /// The failures that a completed write survives.
  ///
  /// Each level survives the death of the process, also by `kill -9`: the bytes are with the system by then.
  public enum Durability: Sendable, CaseIterable {
    /// Survives a loss of power: every write waits until the disk has all of it.
    case full
    /// Survives a loss of power without damage, except that the last write may be undone. Every write waits until the
    /// disk has the data, but not for the page that makes it valid.
    case normal
    /// Does not survive a loss of power: the whole file may be damaged, unless the file system keeps the order of
    /// writes. No write waits for the disk. For data that can be recreated.
    case off
  }

  /// The path of the folder that holds the environment, `data.mdb` and `lock.mdb`. `~` is not expanded.
  public var path: String
  /// The name of the database inside the environment: not empty, without a slash and without NUL.
  public var database: String
  /// The expiry of entries that are stored without one.
  public var expiry: Expiry
  /// The maximum number of bytes of all pages that hold the entries, including indexes; 0 for no limit.
  ///
  /// When a write would exceed it, expired entries are evicted first, then the entries written longest ago. The unit is
  /// a page, 4096 bytes on most machines.
  public var maxSize: UInt
  /// The failures that a completed write survives.
  public var durability: Durability
  /// The maximum size of `data.mdb`, which all stores in the folder share; 0 for no limit except the disk's.
  ///
  /// If stores in one process set different limits for one folder, the highest applies. A larger existing file is used,
  /// but does not grow. In a full file, removals may use up to a mebibyte more.
  public var maxFileSize: UInt
  /// The clock that decides whether an entry has expired.
  public var clock: StorageClock

  /// Whether the store only reads. It then creates and changes nothing but its place in `lock.mdb`, and writes throw
  /// `.readOnly`. Opening throws if the file is missing, `.notFound` if the database is, and `.invalidConfiguration` if
  /// this process has the folder open for writing.
  public var isReadOnly = false

  /// The size of the first map. It takes up addresses, not memory or disk.
  var firstMapSize = 256 << 20
  /// The maximum number of registered readers in all processes, 64 bytes each in `lock.mdb`. The first process sets it.
  var readerSlots: UInt32 = 4096

  /// Describes a store. Nothing is created or checked until the store is opened.
  public init(
    path: String, database: String = "entries", expiry: Expiry = .never, maxSize: UInt = 0,
    durability: Durability = .normal, maxFileSize: UInt = 0, clock: StorageClock = .system
  ) {
    self.path = path
    self.database = database
    self.expiry = expiry
    self.maxSize = maxSize
    self.durability = durability
    self.maxFileSize = maxFileSize
    self.clock = clock
  }
}
