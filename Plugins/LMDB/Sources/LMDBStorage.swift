#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

/// A store of bytes in LMDB: a file that is mapped into memory, which many processes can read and write at once.
///
/// ```swift
/// let sessions = try LMDBStorage<UUID>(config: LMDBConfig(path: "/var/lib/shop", database: "sessions"))
/// try sessions.setObject(bytes, forKey: id, expiry: .seconds(1800))
/// ```
///
/// **Keys** may be any text, of any length. One of more than 503 bytes stands in the file under its SHA-256, with its
/// whole text beside the value.
///
/// **Reads** see the state that the last completed write left. They wait for no writer, in no process, and take no
/// lock. The value is copied out of the map; `withBytes(forKey:_:)` reads it where it stands. Up to 128 threads of a
/// process read at once; further ones wait for one of them.
///
/// **Writes** are transactions, one at a time in all processes: others wait. A batch is one transaction: it is there as
/// a whole or not at all. What a completed write survives is a matter of `durability`; the death of the process it
/// survives always. A process that dies in the middle of a write leaves the state before it, and nobody waits for it.
///
/// **The map** grows by itself, in steps that double it, up to `maxFileSize`. For the moment in which it moves,
/// reads of this process wait; and it waits until those that run have ended.
///
/// **The limit**, `maxSize`, holds after every write of a store that has one, counted in whole pages.
///
/// **Sharing**: any number of stores may stand in one folder, each in a database of its own or several in one, with
/// different types of keys; in one process or in many, but all on one machine. The file system must not be a remote
/// one. After `fork`, a child must not use the stores of its parent; after `exec` it opens its own.
public final class LMDBStorage<Key: StorageKey>: SyncStorageAware {
  /// An LMDB store knows only bytes; types are a matter of the link above it.
  public typealias Value = Data

  let config: LMDBConfig
  let table: EntryTable
  private let fileLeases: FileLeases<Key>

  /// Opens a store, and makes its folder and database if need be.
  ///
  /// Throws `.invalidConfiguration` if the path or the name of the database cannot be one, `.malformedFileAttributes`
  /// if the folder's `data.mdb` is no file of LMDB's, and `.backendFailed` if it cannot be opened, because the folder
  /// is read-only or a file is in its place, say.
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

  /// The bytes of all pages that hold the entries, indexes included, also of entries that have expired and not been
  /// swept yet.
  ///
  /// This is what `maxSize` limits. The file is larger: it also holds other databases, and pages that can be used
  /// again.
  public var totalSize: Int {
    get throws { do { return try table.size() } catch { throw explained(error, "measure the entries") } }
  }

  /// Turns what LMDB says into what a user of the store can understand; errors of a caller's own code stay as they are.
  func explained(_ error: any Error, _ aim: String, _ key: Key? = nil) -> any Error {
    if let error = error as? CallerError { return error.error }
    return StorageError.lmdb(error, aim, key: key, at: path)
  }
}
