public import StrataEngines

/// The configuration of an SQLite store: its file and table, default expiry, size limit and durability.
///
/// ```swift
/// let pages = try SQLiteStorage<String>(
///   config: SQLiteConfig(path: "/var/lib/app/cache.db", table: "pages", expiry: .seconds(86_400), durability: .full))
/// ```
public struct SQLiteConfig: Sendable, EngineConfig {
  /// The path of the database file. A missing file is created, with the folders above it; `~` is not expanded.
  public var path: String
  /// The table of the store. One file can hold any number of stores, one per table, and tables of other programs too.
  /// Names are compared without regard to the case of Latin letters.
  public var table: String
  /// The expiry of entries that are stored without one.
  public var expiry: Expiry
  /// The maximum number of bytes of all keys and values together; 0 for no limit. The file's overhead is not counted.
  public var maxSize: UInt
  /// The failures that a completed write survives.
  public var durability: Durability
  /// The number of seconds that a write waits while another process or transaction locks the file.
  public var busyTimeout: Double
  /// The clock that decides whether an entry has expired.
  public var clock: StorageClock
  /// Whether the store only reads. It then creates and changes nothing, and writes throw `.readOnly`. Opening throws if
  /// the file is missing, and `.notFound` if the table is.
  public var isReadOnly = false

  /// Describes a store. Nothing is created or checked until the store is opened.
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

  /// The failures that a completed write survives. Each level survives the death of the process, also by `kill -9`.
  public enum Durability: Sendable, CaseIterable {
    /// Survives a loss of power: each write waits until the disk has it.
    case full
    /// Survives a loss of power, except that the last writes may be missing. The file stays undamaged.
    case normal
    /// Does not survive a loss of power: the file may be damaged. For data that can be recreated.
    case off
  }
}

extension SQLiteConfig {
  /// Throws if the configuration is invalid. Creates the folder of the file unless that is only read.
  func prepareFolder() throws(StorageError) {
    try checkName(table, of: "a table", "not be empty, have a NUL byte, or start with \"sqlite_\"") {
      !$0.lowercased().hasPrefix("sqlite_")
    }
    // SQLite counts the timeout as milliseconds in 32 bits.
    guard busyTimeout >= 0, busyTimeout <= Double(Int32.max) / 1000 else {
      throw .invalidConfiguration.with(
        "\(busyTimeout) is not a valid `busyTimeout`; use a number of seconds from 0 to 2147483")
    }
    if FileIdentity(path: path)?.isFolder == true {
      throw .invalidConfiguration.with(
        "the path of the database file is a folder; choose another path")
    }
    if !isReadOnly { try StorePath.makeFolder(of: path) }
  }
}
