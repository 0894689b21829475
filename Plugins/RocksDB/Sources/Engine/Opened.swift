#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
internal import CRocksDB
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A newly opened database, with the handles of all its families.
struct Opened {
  let handle: OpaquePointer
  let families: [(name: String, handle: OpaquePointer)]

  /// Opens the database in a folder.
  ///
  /// Another process may replace files while they are opened for reading. RocksDB then fails if a file that the
  /// manifest names is gone. It does not notice if a log is gone whose entries have moved to a table that the manifest
  /// did not name yet: the entries are missing. So the database is opened again, for up to half a second, until neither
  /// happens.
  static func open(
    path: String, config: RocksDBConfig, options: OpaquePointer, cache: OpaquePointer
  ) throws(RocksDBError) -> Opened {
    for _ in 0..<(config.isReadOnly ? 50 : 0) {
      do throws(RocksDBError) {
        let files = journal(path)
        let opened = try Opened(path: path, config: config, options: options, cache: cache)
        if journal(path) == files { return opened }
        opened.close()
      } catch {
        if error.name != "IOError", error.name != "Corruption" { throw error }
      }
      usleep(10_000)
    }
    return try Opened(path: path, config: config, options: options, cache: cache)
  }

  /// Returns the names of the logs and manifests in a folder. RocksDB uses no name twice.
  private static func journal(_ path: String) -> Set<String>? {
    do {
      let names = try FileManager.default.contentsOfDirectory(atPath: path)
      return Set(names.filter { $0.hasSuffix(".log") || $0.hasPrefix("MANIFEST-") })
    } catch {
      // Opening the database reports the reason.
      return nil
    }
  }

  private func close() {
    for family in families { rocksdb_column_family_handle_destroy(family.handle) }
    rocksdb_close(handle)
  }

  /// Opens the database in a folder, or creates one.
  ///
  /// The family of the configuration gets its settings. Every other family may belong to another program, and is opened
  /// with its last settings, which RocksDB stores in the folder.
  init(path: String, config: RocksDBConfig, options: OpaquePointer, cache: OpaquePointer) throws(RocksDBError)
  {
    let names = try Self.families(path: path, options: options)
    let known = KnownSettings(path: path, cache: cache)
    defer { known.destroy() }
    let settings = names.map { $0 == config.family ? options : known.families[$0] ?? options }

    var handles = [OpaquePointer?](repeating: nil, count: names.count)
    let texts = names.map { strdup($0) }
    defer { texts.forEach { free($0) } }
    let pointers = texts.map { UnsafePointer<CChar>($0) }
    let count = Int32(names.count)
    handle = try making { error in
      config.isReadOnly
        ? rocksdb_open_for_read_only_column_families(
          options, path, count, pointers, settings.map(Optional.init), &handles, 0, error)
        : rocksdb_open_column_families(
          options, path, count, pointers, settings.map(Optional.init), &handles, error)
    }
    families = zip(names, handles).compactMap { name, handle in handle.map { (name, $0) } }
  }

  /// Returns the names of all families in a folder; without a database, only the name of the default family.
  private static func families(path: String, options: OpaquePointer) throws(RocksDBError) -> [String] {
    if access("\(path)/CURRENT", F_OK) != 0, errno == ENOENT { return ["default"] }
    var count = 0
    var text: UnsafeMutablePointer<CChar>?
    let names = rocksdb_list_column_families(options, path, &count, &text)
    // RocksDB allocates the list even if it fails.
    defer { rocksdb_list_column_families_destroy(names, count) }
    if let text { throw taken(text) }
    return (0..<count).compactMap { names?[$0].map { String(cString: $0) } }
  }
}

/// The settings with which the families of a database were last open.
private struct KnownSettings {
  private(set) var families: [String: OpaquePointer] = [:]
  private var options: OpaquePointer?
  private var count = 0
  private var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
  private var settings: UnsafeMutablePointer<OpaquePointer?>?

  /// Loads the settings. A new database has none. If the settings cannot be read, opening the database will report the
  /// reason.
  init(path: String, cache: OpaquePointer) {
    let environment = rocksdb_create_default_env()
    defer { rocksdb_env_destroy(environment) }
    var text: UnsafeMutablePointer<CChar>?
    rocksdb_load_latest_options(path, environment, true, cache, &options, &count, &names, &settings, &text)
    if let text {
      rocksdb_free(text)
      options = nil
      return
    }
    for index in 0..<count {
      if let name = names?[index], let settings = settings?[index] {
        families[String(cString: name)] = settings
      }
    }
  }

  func destroy() {
    if options != nil { rocksdb_load_latest_options_destroy(options, names, settings, count) }
  }
}
