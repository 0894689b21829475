public import StrataCore

/// Where an SQLite store keeps its entries, for how long, how many, and how safely.
public struct SQLiteConfig: Sendable {
  /// The path of the database file. It is made, with the folders above it, where there is none; `~` is not expanded.
  public var path: String
  /// The table of the store. One file holds as many stores as it has tables, and may hold tables of other programs too.
  ///
  /// As SQLite has it, capital and small letters of the Latin alphabet are the same in a name.
  public var table: String
  /// When entries expire that are stored without an expiry of their own.
  public var expiry: Expiry
  /// The limit to the bytes of all keys and values together; 0 for none. What the file needs beyond that is not
  /// counted.
  public var maxSize: UInt
  /// What a write survives once it has returned.
  public var durability: Durability
  /// How many seconds a write waits while another process, or another program's transaction, has the file.
  public var busyTimeout: Double
  /// The clock by which entries expire.
  public var clock: StorageClock

  /// Describes a store. Nothing is made on the disk, and nothing is checked, until the store is opened.
  public init(
    path: String, table: String = "entries", expiry: Expiry = .never, maxSize: UInt = 0,
    durability: Durability = .normal, busyTimeout: Double = 5, clock: StorageClock = .system
  ) {
    self.path = path
    self.table = table
    self.expiry = expiry
    self.maxSize = maxSize
    self.durability = durability
    self.busyTimeout = busyTimeout
    self.clock = clock
  }

  /// What a write survives once it has returned. The death of the process, `kill -9` too, it always does.
  public enum Durability: Sendable, CaseIterable {
    /// A loss of power too: each write waits until the disk has it.
    case full
    /// After a loss of power the file is sound, but the last writes may be missing.
    case normal
    /// After a loss of power the file may be damaged. For what can be made again.
    case off
  }
}
