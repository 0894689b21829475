public import StrataEngines

/// A store of bytes in LMDB: a memory-mapped file that many processes can read and write at once.
///
/// ```swift
/// let sessions = try LMDBStorage<UUID>(config: LMDBConfig(path: "/var/lib/shop", database: "sessions"))
/// try sessions.setObject(bytes, forKey: id, expiry: .seconds(1800))
/// ```
///
/// Keys and conditional writes behave as documented for `EngineStorage`.
///
/// **Reads** see the state after the last completed write. They take no lock and never wait for a writer, in any
/// process. The value is copied out of the map; `withBytes(forKey:_:)` reads it in place. Many entries, or all keys,
/// are read as they were at one moment. Up to 128 threads of a process can read at once; further ones wait for a free
/// reader.
///
/// **Writes** are transactions, one at a time across all processes. A batch is one transaction: it is stored as a whole
/// or not at all, and if it exceeds the limit, the values stored last are kept. `durability` selects the failures that
/// a completed write survives; it always survives the death of the process. If a process dies during a write, the state
/// before it remains, and no other process is blocked. Conditional writes and updates are atomic across processes.
///
/// **The map** grows automatically, doubling each time, up to `maxFileSize`. It waits until running reads have ended,
/// and new reads wait until it has grown.
///
/// **The limit**, `maxSize`, holds after every write of a store that has one. Like `totalSize`, it counts whole pages,
/// also those of the indexes and of expired entries that have not been swept yet. The file is larger: it also holds
/// other databases and free pages.
///
/// **Sharing**: a folder can hold any number of stores, each in its own database or several in one, with different key
/// types. They may be open in many processes, but all on one machine, and not on a remote file system. After `fork`, a
/// child must not use the stores of its parent; after `exec` it opens its own. `leases` are locks on the file
/// `strata.leases` in the folder.
public typealias LMDBStorage<Key: StorageKey> = EngineStorage<Key, LMDBEngine>

extension EngineStorage where Engine == LMDBEngine {
  /// Opens a store, creating its folder and database if they are missing.
  ///
  /// Throws `.invalidConfiguration` if the path or the database name is invalid, and `.malformedFileAttributes` if the
  /// folder's `data.mdb` is not an LMDB file. Throws `.backendFailed` if it cannot be opened, for example because the
  /// folder is read-only or a file has its path.
  public convenience init(config: LMDBConfig) throws {
    try self.init(config, leases: "/strata.leases", by: StorageError.lmdb, open: LMDBEngine.init)
  }

  /// The absolute path of the folder.
  public var path: String { place }

  /// Reads a value in place in the map, without copying it. Returns `nil` if it is missing or expired.
  ///
  /// ```swift
  /// let width = try images.withBytes(forKey: "logo") { $0.unsafeLoadUnaligned(fromByteOffset: 16, as: UInt32.self) }
  /// ```
  ///
  /// Useful for values of many kilobytes of which only a part is needed. The bytes do not change while the closure
  /// runs, whatever is written meanwhile. Until it returns, LMDB keeps all pages that are replaced, in all processes,
  /// and the map cannot grow. So the closure must be short, and must not block. Writing to a store in the same folder
  /// from inside the closure throws `.deadlock`. Errors of the closure are rethrown.
  public func withBytes<R>(forKey key: Key, _ body: (RawSpan) throws -> R) throws -> R? {
    // Only these lines depend on the result type; the rest is compiled once.
    var result: Result<R, any Error>?
    try explaining("read the entry", key) {
      try engine.withBytes(of: key.storageKey) { bytes in result = Result { try body(bytes.bytes) } }
    }
    return try result?.get()
  }
}
