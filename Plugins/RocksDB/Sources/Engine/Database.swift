#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
internal import CRocksDB
import StrataEngines

/// An open database: one folder, and all column families in it.
///
/// RocksDB opens a database once, with all of its families at the same time. Records in families of other programs are
/// left unchanged.
final class Database: Sendable {
  /// The open databases of this process, by their resolved paths.
  static let shared = SharedEngines<Database>(close: { $0.close() })

  /// Whether the process is exiting. Locked while a database is closed.
  private static let isExiting = Locked(false)
  /// Makes the exit of the process wait for a database that another thread is closing, and prevents later closing.
  /// RocksDB's own exit handler runs afterwards and frees memory that closing needs. Entries in the log are not lost.
  private static let watchExit: Void = {
    atexit { Database.isExiting.withLock { $0 = true } }
  }()

  private struct State: Sendable {
    var families: [String: Family] = [:]
    var cacheSize: UInt
    /// Whether a store writes without the log, so that closing has to write the entries in memory to tables.
    var writesWithoutLog = false
  }

  let path: String
  /// Whether the database was opened only for reading.
  let isReadOnly: Bool
  /// RocksDB's functions may be called with one database on any thread. These pointers are set before the object is
  /// shared, and freed in `close` after its last use.
  nonisolated(unsafe) let handle: OpaquePointer
  private nonisolated(unsafe) let options: OpaquePointer
  private nonisolated(unsafe) let cache: OpaquePointer
  /// For reads by key. Never changed.
  nonisolated(unsafe) let reading: OpaquePointer = rocksdb_readoptions_create()
  /// For scans of many entries, which would only evict other blocks from the cache. Never changed.
  nonisolated(unsafe) let scanning: OpaquePointer = rocksdb_readoptions_create()
  private let state: Locked<State>

  /// Opens the database in an existing folder, or creates one in it.
  init(path: String, config: RocksDBConfig) throws(RocksDBError) {
    let cache: OpaquePointer = rocksdb_cache_create_lru(Int(clamping: config.blockCacheSize))
    let options = Options.make(config, cache: cache)
    let opened: Opened
    do throws(RocksDBError) {
      opened = try Opened.open(path: path, config: config, options: options, cache: cache)
    } catch {
      rocksdb_readoptions_destroy(reading)
      rocksdb_readoptions_destroy(scanning)
      rocksdb_options_destroy(options)
      rocksdb_cache_destroy(cache)
      throw error
    }
    // Registered after the first opening, so that it runs before the exit handlers that RocksDB registers in it.
    _ = Self.watchExit
    self.path = path
    isReadOnly = config.isReadOnly
    self.options = options
    self.cache = cache
    handle = opened.handle
    rocksdb_readoptions_set_fill_cache(scanning, 0)
    state = Locked(State(cacheSize: config.blockCacheSize))
    for (name, handle) in opened.families {
      let family = Family(
        name, handle, of: self, compression: name == config.family ? config.compression : nil)
      state.withLock { $0.families[name] = family }
    }
  }

  /// Returns the family of a store, with the settings of its configuration. A missing family is created.
  func family(_ config: RocksDBConfig) throws -> Family {
    try state.withLock { state in
      if config.blockCacheSize > state.cacheSize {
        rocksdb_cache_set_capacity(cache, Int(clamping: config.blockCacheSize))
        state.cacheSize = config.blockCacheSize
      }
      if config.durability == .off { state.writesWithoutLog = true }
      if let family = state.families[config.family] {
        if !isReadOnly { try family.compress(with: config.compression) }
        return family
      }
      if isReadOnly {
        throw StorageError.notFound.with(
          "the database has no family \(String(reflecting: config.family)), and the store is read-only; choose another",
          place: path)
      }
      let settings = Options.make(config, cache: cache)
      defer { rocksdb_options_destroy(settings) }
      let made = try making { rocksdb_create_column_family(handle, settings, config.family, $0) }
      let family = Family(config.family, made, of: self, compression: config.compression)
      state.families[config.family] = family
      return family
    }
  }

  /// Returns RocksDB's counters since the database was opened, as lines of text.
  func counters() -> String {
    guard let text = rocksdb_options_statistics_get_string(options) else { return "" }
    defer { rocksdb_free(text) }
    return String(cString: text)
  }

  /// Waits until the disk has the log.
  ///
  /// Makes an empty write that waits for the disk. RocksDB's own function for this can end the process after a failed
  /// write (version 7.8 built with assertions, as on Debian).
  func syncLog() throws(RocksDBError) {
    let options = Options.write(.full)
    defer { rocksdb_writeoptions_destroy(options) }
    let nothing: OpaquePointer = rocksdb_writebatch_create()
    defer { rocksdb_writebatch_destroy(nothing) }
    try calling { rocksdb_write(handle, options, nothing, $0) }
  }

  private func close() {
    Self.isExiting.withLock { isExiting in if !isExiting { end() } }
  }

  /// Closes the database. The database, its families and their iterators must not be used afterwards.
  private func end() {
    let (families, writesWithoutLog) = state.withLock { ($0.families, $0.writesWithoutLog) }
    do {
      if writesWithoutLog, !isReadOnly { for family in families.values { try family.flush() } }
      if !isReadOnly { try syncLog() }
    } catch {
      // The last store has been released, so no caller can catch an error. Entries in the log are recovered when the
      // database is opened again.
      report("cannot write the last entries when closing \(path): \(error)")
    }
    for family in families.values { rocksdb_column_family_handle_destroy(family.handle) }
    rocksdb_close(handle)
    rocksdb_readoptions_destroy(reading)
    rocksdb_readoptions_destroy(scanning)
    rocksdb_options_destroy(options)
    rocksdb_cache_destroy(cache)
  }
}

/// Writes a line to standard error, for errors that cannot be thrown to a caller.
private func report(_ message: String) {
  let line = Array("Strata: \(message)\n".utf8)
  write(STDERR_FILENO, line, line.count)
}
