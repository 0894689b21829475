public import StrataCore

/// Where an LMDB store keeps its entries, for how long, how many, and how safe from a loss of power.
public struct LMDBConfig: Sendable {
  /// What a completed write survives.
  ///
  /// With each of them it survives the death of the process, also by `kill -9`: the bytes are with the system by then.
  public enum Durability: Sendable, CaseIterable {
    /// A loss of power too: every write waits until the disk has all of it.
    case full
    /// A loss of power may undo the last write, but never those before it, nor damage the file: every write waits until
    /// the disk has the data, and not for the page that makes it valid.
    case normal
    /// A loss of power may damage the whole file, unless the file system keeps the order of writes: nothing waits for
    /// the disk. For what can be had again.
    case off
  }

  /// The path of the folder that holds the environment, `data.mdb` and `lock.mdb`. `~` is not expanded.
  public var path: String
  /// The name of the database inside the environment: some characters, without a slash and without NUL.
  public var database: String
  /// When entries expire that are stored without an expiry of their own.
  public var expiry: Expiry
  /// The limit to the bytes of all pages that hold the entries, indexes included; 0 for none.
  ///
  /// When a write would exceed it, what has expired goes first, then what was written longest ago. The unit is a page,
  /// 4096 bytes on most machines.
  public var maxSize: UInt
  /// What a completed write survives.
  public var durability: Durability
  /// The limit to the size of `data.mdb`, which all stores in the folder share; 0 for what the disk has.
  ///
  /// Where stores in one process say different limits for one folder, the highest counts. A file that is larger already
  /// stays as it is, and only the space within it is used. In a file that is full, removals may use up to a mebibyte
  /// more.
  public var maxFileSize: UInt
  /// The clock by which entries expire.
  public var clock: StorageClock

  /// The size of the first map. It costs addresses, not memory or disk.
  var firstMapSize = 256 << 20
  /// How many readers can be registered in all processes together, 64 bytes each in `lock.mdb`. The first process
  /// decides.
  var readerSlots: UInt32 = 4096

  /// Describes a store. Nothing is made on the disk, and nothing is checked, until the store is opened.
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
