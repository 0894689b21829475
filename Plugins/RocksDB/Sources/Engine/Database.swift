#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
internal import CRocksDB
import StrataCore

/// An open database: one folder, and all column families in it.
///
/// RocksDB opens a database once, and all of its families at the same time: those of other programs too, whose records
/// nobody touches.
final class Database: Sendable {
  /// The databases that are open in this process, by their resolved paths.
  static let shared = SharedEngines<Database>(close: { $0.close() })

  /// Whether the process ends. Held while a database is closed.
  private static let isExiting = Locked(false)
  /// Makes the end of the process wait for a database that another thread is closing, and lets none be closed after:
  /// RocksDB's own end, which is next, would take from it what it needs. The log has what was written.
  private static let watchExit: Void = {
    atexit { Database.isExiting.withLock { $0 = true } }
  }()

  private struct State: Sendable {
    var families: [String: Family] = [:]
    var cacheSize: UInt
    /// Whether a store writes without the log, so that closing must write the memory to tables.
    var writesWithoutLog = false
  }

  let path: String
  /// Only RocksDB looks behind these: its functions may be called with one database on any thread. They are set before
  /// anybody else has the object, and freed in `close`, after its last user has gone.
  nonisolated(unsafe) let handle: OpaquePointer
  private nonisolated(unsafe) let options: OpaquePointer
  private nonisolated(unsafe) let cache: OpaquePointer
  /// For reads of a key. It is never changed.
  nonisolated(unsafe) let reading: OpaquePointer = rocksdb_readoptions_create()
  /// For reads of many entries one after the other, which would only drive others out of the cache. It is never
  /// changed.
  nonisolated(unsafe) let scanning: OpaquePointer = rocksdb_readoptions_create()
  private let state: Locked<State>

  /// Opens the database in a folder that is there, or makes one in it.
  init(path: String, config: RocksDBConfig) throws(RocksDBError) {
    let cache: OpaquePointer = rocksdb_cache_create_lru(Int(clamping: config.blockCacheSize))
    let options = Options.make(config, cache: cache)
    let opened: Opened
    do throws(RocksDBError) {
      opened = try Opened(path: path, config: config, options: options, cache: cache)
    } catch {
      rocksdb_readoptions_destroy(reading)
      rocksdb_readoptions_destroy(scanning)
      rocksdb_options_destroy(options)
      rocksdb_cache_destroy(cache)
      throw error
    }
    // After the first opening, so that it runs before the end of what RocksDB made for that.
    _ = Self.watchExit
    self.path = path
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

  /// The family of a store, with the settings of its configuration. It is made if it is missing.
  func family(_ config: RocksDBConfig) throws -> Family {
    try state.withLock { state in
      if config.blockCacheSize > state.cacheSize {
        rocksdb_cache_set_capacity(cache, Int(clamping: config.blockCacheSize))
        state.cacheSize = config.blockCacheSize
      }
      if config.durability == .off { state.writesWithoutLog = true }
      if let family = state.families[config.family] {
        try family.compress(with: config.compression)
        return family
      }
      let settings = Options.make(config, cache: cache)
      defer { rocksdb_options_destroy(settings) }
      let made = try making { rocksdb_create_column_family(handle, settings, config.family, $0) }
      let family = Family(config.family, made, of: self, compression: config.compression)
      state.families[config.family] = family
      return family
    }
  }

  /// What RocksDB counted since the database was opened, as lines of text.
  func counters() -> String {
    guard let text = rocksdb_options_statistics_get_string(options) else { return "" }
    defer { rocksdb_free(text) }
    return String(cString: text)
  }

  /// Waits until the disk has the log.
  ///
  /// It is a write of nothing that waits: RocksDB's own function for it, called after a write has failed, can end the
  /// process (7.8, if it was built with its assertions, as Debian's is).
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

  /// Ends all. Nobody may use the database, its families or their iterators meanwhile or after.
  private func end() {
    let (families, writesWithoutLog) = state.withLock { ($0.families, $0.writesWithoutLog) }
    do {
      if writesWithoutLog { for family in families.values { try family.flush() } }
      try syncLog()
    } catch {
      // The last store has gone: there is nobody to throw to. What has a log is found in it when the database is opened
      // again.
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

/// A line on standard error, for an error that there is nobody to throw to.
private func report(_ message: String) {
  let line = Array("Strata: \(message)\n".utf8)
  write(STDERR_FILENO, line, line.count)
}
