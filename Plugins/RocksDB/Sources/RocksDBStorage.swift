public import StrataEngines

/// A store of bytes in a column family of a RocksDB database.
///
/// ```swift
/// let readings = try RocksDBStorage<String>(config: RocksDBConfig(path: "/var/lib/app/db", family: "readings"))
/// try readings.setObject(bytes, forKey: "2026-03-01T12:00:00Z kitchen", expiry: .seconds(7 * 86_400))
/// ```
///
/// Keys, expiry, the limit and conditional writes behave as documented for `EngineStorage`.
///
/// **Keys** may be any text, of any length. `keys()` lists them in the order of Swift's strings, and
/// `keys(from:until:)` a part of them.
///
/// **Reads** copy a value once, out of RocksDB's memory, and read tables on disk only if a filter shows that the key
/// may be there. RocksDB checks the bytes it reads: damage throws `.malformedFileAttributes`. Many entries are read as
/// they were at one moment.
///
/// **Writes** read nothing. A batch is one write: other threads see all of it or nothing, and so does a reader after a
/// crash. `RocksDBConfig.Durability` describes the failures that a write survives. A write can take longer, seconds in
/// the worst case, when RocksDB writes tables more slowly than entries arrive.
///
/// **Threads**: every function may be called on any thread, and blocks it while the disk is slow. Reads never wait for
/// writes.
///
/// **Sharing**: any number of stores in one process may be opened over one folder, and over one family. A second
/// process can open the folder only for reading (`isReadOnly`); otherwise opening throws `.backendFailed`. Column
/// families and records of other programs are left unchanged.
public typealias RocksDBStorage<Key: StorageKey> = EngineStorage<Key, RocksDBEngine>

extension EngineStorage where Engine == RocksDBEngine {
  /// Opens a store, creating its folder, its database and its family if they are missing.
  ///
  /// Throws `.invalidConfiguration` if the path or the family is invalid, or if this build of RocksDB lacks the
  /// compression. Throws `.malformedFileAttributes` if the database is damaged, and `.backendFailed` if it cannot be
  /// opened, for example because another process has it open.
  public convenience init(config: RocksDBConfig) throws {
    try config.checkName(config.family, of: "a column family", "not be empty or contain NUL")
    let path = try config.folder()
    do {
      let place = config.isReadOnly ? path + " (read-only)" : path
      let lease = try Database.shared.lease(place) { try Database(path: path, config: config) }
      let family = try lease.engine.family(config)
      self.init(
        place: path, maxSize: config.maxSize, expiry: config.expiry, clock: config.clock,
        engine: RocksDBEngine(family, of: lease, durability: config.durability), state: family.state,
        lease: lease)
    } catch let error as RocksDBError {
      let failure = error.explained(at: path)
      throw failure.with("cannot open the database: \(failure.message)")
    }
  }

  /// The path of the folder that holds the database, absolute and without links.
  public var path: String { place }

  /// Waits until the disk has all completed writes, for every durability. They then survive a loss of power.
  public func flush() throws { try explaining("flush the database") { try engine.flush() } }

  /// Merges all tables of the family, so that removed and replaced entries no longer take space.
  ///
  /// ```swift
  /// try readings.removeExpiredObjects()
  /// try readings.compact()   // Returns the space to the file system now, and not in the background.
  /// ```
  public func compact() throws {
    try explaining("compact the database") {
      try engine.refuseReadOnly()
      engine.compact()
    }
  }

  /// RocksDB's statistics. Reading them takes some microseconds for each level, and reads no entries.
  public var statistics: RocksDBStatistics { RocksDBStatistics(of: engine.family, counters: engine.counters) }
}
