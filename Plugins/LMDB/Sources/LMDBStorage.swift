#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

/// A store of bytes in LMDB: a memory-mapped file that many processes can read and write at once.
///
/// ```swift
/// let sessions = try LMDBStorage<UUID>(config: LMDBConfig(path: "/var/lib/shop", database: "sessions"))
/// try sessions.setObject(bytes, forKey: id, expiry: .seconds(1800))
/// ```
///
/// **Keys** may be any text, of any length. A key of more than 503 bytes is stored under its SHA-256, with its text
/// beside the value.
///
/// **Reads** see the state after the last completed write. They take no lock and never wait for a writer, in any
/// process. The value is copied out of the map; `withBytes(forKey:_:)` reads it in place. Up to 128 threads of a
/// process can read at once; further ones wait for a free reader.
///
/// **Writes** are transactions, one at a time across all processes. A batch is one transaction: it is stored as a whole
/// or not at all. `durability` determines what a completed write survives; it always survives the death of the process.
/// If a process dies during a write, the state before it remains, and no other process is blocked.
///
/// **The map** grows automatically, doubling each time, up to `maxFileSize`. It waits until running reads have ended,
/// and new reads wait while it moves.
///
/// **The limit**, `maxSize`, holds after every write of a store that has one, counted in whole pages.
///
/// **Sharing**: a folder can hold any number of stores, each in its own database or several in one, with different key
/// types. They may be open in many processes, but all on one machine, and not on a remote file system. After `fork`, a
/// child must not use the stores of its parent; after `exec` it opens its own.
public final class LMDBStorage<Key: StorageKey>: SyncStorageAware {
  /// The values are bytes; `transform(to:)` adds types on top.
  public typealias Value = Data

  let config: LMDBConfig
  let table: EntryTable
  private let fileLeases: FileLeases<Key>

  /// Opens a store, creating its folder and database if they are missing.
  ///
  /// Throws `.invalidConfiguration` if the path or the database name is invalid, and `.malformedFileAttributes` if the
  /// folder's `data.mdb` is not an LMDB file. Throws `.backendFailed` if it cannot be opened, for example because the
  /// folder is read-only or a file has its path.
  public convenience init(config: LMDBConfig) throws { try self.init(opening: config) }

  private init(opening config: LMDBConfig) throws {
    self.config = config
    do {
      let table = try EntryTable(config, path: StorePath.absolute(config.path))
      self.table = table
      fileLeases = FileLeases(scope: config.database) { table.path + "/strata.leases" }
    } catch { throw StorageError.lmdb(error, "open the store", at: config.path) }
  }

  /// The absolute path of the folder.
  public var path: String { table.path }

  /// Leases of keys among the processes that use the database, by locks on the file `strata.leases` in the folder.
  public var leases: (any StorageLeasing<Key>)? { fileLeases }

  /// The clock of the configuration.
  public var clock: StorageClock { config.clock }

  /// The number of bytes of all pages that hold the entries, including indexes and expired entries that have not been
  /// swept yet.
  ///
  /// This is what `maxSize` limits. The file is larger: it also holds other databases and free pages.
  public var totalSize: Int {
    get throws { do { return try table.size() } catch { throw explained(error, "measure the entries") } }
  }

  /// Turns LMDB's errors into explained `StorageError`s; errors of a caller's closure stay as they are.
  func explained(_ error: any Error, _ aim: String, _ key: Key? = nil) -> any Error {
    if let error = error as? CallerError { return error.error }
    return StorageError.lmdb(error, aim, key: key, at: path)
  }
}
