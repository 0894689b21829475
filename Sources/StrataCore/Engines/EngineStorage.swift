#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A store of bytes over a `KeyValueEngine`.
///
/// ```swift
/// let shelf = try EngineStorage<String, LevelDBEngine>(folder: "/var/lib/app/shelf") { path in
///   try LevelDBEngine(path: path)
/// }
/// try shelf.setObject(bytes, forKey: "ada", expiry: .seconds(60))
/// ```
///
/// **Keys** may be any text, of any length. One that is too long for the engine is stored under its SHA-256.
///
/// **Reads** take no lock of the store. **Writes** of different keys run side by side; a batch is one step of the
/// engine, which other threads see as a whole or not at all. Conditional writes, sweeps and, under a limit, all writes
/// run one at a time.
///
/// **The limit**, `maxSize`, counts the bytes of keys and values. It holds after every write: the entries that were
/// used least recently are evicted. The first write under a limit reads all keys and sizes, which then take about 100
/// bytes of memory an entry. The limit is kept by this process alone.
///
/// **Sharing**: any number of stores in a process may be opened over one place, with different types of keys. They
/// share one engine, which is closed when the last of them has gone. Records in the engine that are not Strata's are
/// left alone.
public final class EngineStorage<Key: StorageKey, Engine: KeyValueEngine>: SyncStorageAware {
  /// Bytes. A typed view of the store adds other types.
  public typealias Value = Data

  /// The clock that decides whether an entry has expired.
  public let clock: StorageClock
  /// The folder, file or server of the engine, for errors.
  public let place: String
  let expiry: Expiry
  /// The maximum number of bytes of keys and values; `nil` for no limit.
  let limit: Int?
  let table: EngineTable<Engine>
  private let lease: any Sendable

  /// Opens the engine of a location, or shares it with the stores of this process that have it open.
  ///
  /// - Parameters:
  ///   - place: a text that identifies the location, such as the address of a device. For a folder use
  ///     `init(folder:maxSize:expiry:clock:open:)`.
  ///   - maxSize: the maximum number of bytes of keys and values; 0 for no limit.
  ///   - expiry: the expiry of values that are stored without one.
  ///   - clock: the clock that decides whether an entry has expired.
  ///   - open: opens the engine. Called only if no store of this process has it open.
  public convenience init(
    place: String, maxSize: UInt = 0, expiry: Expiry = .never, clock: StorageClock = .system,
    open: () throws -> Engine
  ) throws {
    try self.init(place, identity: place, maxSize, expiry, clock, open)
  }

  /// Opens the engine in a folder, or shares it with the stores of this process that have the folder open, under any
  /// path. Creates the folder if it is missing.
  ///
  /// `open` gets the absolute path. Throws `.invalidConfiguration` if the path is invalid, and `.backendFailed` if the
  /// folder cannot be created.
  public convenience init(
    folder: String, maxSize: UInt = 0, expiry: Expiry = .never, clock: StorageClock = .system,
    open: (_ path: String) throws -> Engine
  ) throws {
    let path = try StorePath.absolute(folder)
    try StorePath.makeFolder(path)
    // Two paths may lead to one folder.
    let identity = FileIdentity(path: path)?.text ?? path
    try self.init(path, identity: identity, maxSize, expiry, clock) { try open(path) }
  }

  private convenience init(
    _ place: String, identity: String, _ maxSize: UInt, _ expiry: Expiry, _ clock: StorageClock,
    _ open: () throws -> Engine
  ) throws {
    let lease: EngineLease<OpenEngine>
    do {
      lease = try openEngines.lease("\(ObjectIdentifier(Engine.self)) \(identity)") {
        OpenEngine(engine: try open())
      }
    } catch let error as StorageError {
      throw error.with(place: error.place ?? place)
    } catch {
      throw StorageError.backendFailed.with("cannot open the store: \(error)", place: place, cause: error)
    }
    guard let engine = lease.engine.engine as? Engine else {
      preconditionFailure("an engine is leased by its type")
    }
    self.init(
      place: place, maxSize: maxSize, expiry: expiry, clock: clock, engine: engine, state: lease.engine.state,
      lease: lease)
  }

  /// Creates a store over an open engine. `lease` keeps the engine open.
  package init(
    place: String, maxSize: UInt, expiry: Expiry, clock: StorageClock, engine: Engine, state: EngineState,
    lease: any Sendable
  ) {
    self.place = place
    self.expiry = expiry
    self.clock = clock
    limit = maxSize == 0 ? nil : Int(clamping: maxSize)
    table = EngineTable(engine, state)
    self.lease = lease
  }

  /// The engine of the store.
  package var engine: Engine { table.engine }

  /// The number of bytes of all keys and values, including entries that have expired and were not removed yet.
  ///
  /// `maxSize` limits it. A store with a limit knows the number; without a limit, all entries are read.
  public var totalSize: Int {
    get throws {
      try explaining("measure the entries") {
        if limit != nil { try table.measure() }
        return try table.totalSize()
      }
    }
  }

  /// Adds the key, the location and advice to an error of the engine.
  package func explaining<R>(_ aim: String, _ key: Key? = nil, _ body: () throws -> R) throws(StorageError)
    -> R
  {
    do { return try body() } catch {
      throw .explaining(error, aim, key: key, place: place, by: table.engine.explained)
    }
  }
}
