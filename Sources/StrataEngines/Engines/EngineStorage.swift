#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore
import StrataLeases

/// A store of bytes over an engine.
///
/// ```swift
/// let shelf = try EngineStorage<String, LevelDBEngine>(folder: "/var/lib/app/shelf") { path in
///   try LevelDBEngine(path: path)
/// }
/// try shelf.setObject(bytes, forKey: "ada", expiry: .seconds(60))
/// ```
///
/// The engine is a `KeyValueEngine`, or an engine of Strata with its own indexes in the file. `LMDBStorage` and
/// `SQLiteStorage` are this type too; their pages describe the differences.
///
/// **Keys** may be any text, of any length. A key that is too long for the engine is stored under its SHA-256.
///
/// **Reads** take no lock of the store. **Writes** of different keys run concurrently. A batch is atomic: other threads
/// read all of it or nothing. Conditional writes, sweeps and, under a limit, all writes run one at a time.
///
/// **The limit**, `maxSize`, counts the bytes of keys and values. It holds after every write: the entries that were
/// used least recently are evicted. The first write under a limit reads all keys and sizes, which then take about 100
/// bytes of memory an entry. It applies to this process alone: writes of other processes are not counted.
///
/// **Sharing**: any number of stores in a process may be opened over one location, with different types of keys. They
/// share one engine, which is closed when the last of them is released. Records in the engine that are not Strata's are
/// left alone.
public final class EngineStorage<Key: StorageKey, Engine: Sendable>: SyncStorageAware {
  /// Bytes. A typed view of the store adds other types.
  public typealias Value = Data

  /// The clock that decides whether an entry has expired.
  public let clock: StorageClock
  /// The folder, file or server of the engine, for errors.
  public let place: String
  /// Leases of keys among the processes that share the store, by locks on a file beside it; `nil` if the engine belongs
  /// to one process.
  public let leases: (any StorageLeasing<Key>)?
  /// The engine of the store.
  package let engine: Engine
  let expiry: Expiry
  /// The expiry of values that are stored without one, and that large values are stored in parts.
  public var traits: StoreTraits {
    var traits = StoreTraits(ownExpiry: expiry, reporter: reporter)
    traits.keepsParts = true
    return traits
  }
  private let reporter = TierReporter<Key>(engineName.lowercased(), timing: .samples)
  let storeTable: any StoreTable
  /// The threads on which parts of streams are read and written. The coordinator's end with it, and it ends with the
  /// last view of the store.
  let pool = BlockingPool()
  private let lease: (any Sendable)?

  /// Creates a store over the entries of an open engine. `lease` keeps the engine open.
  package init(
    place: String, expiry: Expiry, engine: Engine, table: any StoreTable, lease: (any Sendable)? = nil,
    leaseFile: String? = nil
  ) {
    self.place = place
    self.expiry = expiry
    self.engine = engine
    self.lease = lease
    clock = table.clock
    storeTable = table
    leases = leaseFile.map { path in FileLeases<Key>(scope: table.scope) { path } }
  }

  /// The name of the engine's type, with `Storage` in place of `Engine`.
  public var storageName: String { Self.engineName + "Storage" }

  private static var engineName: String {
    let name = String(describing: Engine.self)
    return name.hasSuffix("Engine") ? String(name.dropLast(6)) : name
  }

  /// The size of all entries, including expired entries that are not removed yet. `maxSize` limits this size.
  ///
  /// By default the number of bytes of all keys and values. A store with a limit keeps count; without a limit, all
  /// entries are read.
  public var totalSize: Int {
    get throws { try explaining("measure the entries") { try storeTable.totalSize() } }
  }

  /// Adds the key, the location and advice to an error of the engine.
  @inline(__always)
  package func explaining<R>(
    _ aim: @autoclosure () -> String, _ key: @autoclosure () -> Key? = nil, _ body: () throws -> R
  ) throws(StorageError) -> R {
    do { return try body() } catch { throw explained(error, aim(), key()) }
  }

  @inline(never)
  private func explained(_ error: any Error, _ aim: String, _ key: Key?) -> StorageError {
    .explaining(error, aim, key: key, place: place, by: storeTable.explained)
  }
}
