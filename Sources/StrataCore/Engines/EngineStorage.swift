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
  /// A store over an engine knows only bytes; types are a matter of the link above it.
  public typealias Value = Data

  /// The clock by which entries expire.
  public let clock: StorageClock
  /// The folder, file or server of the engine, as errors name it.
  public let place: String
  let expiry: Expiry
  /// The most bytes of keys and values; `nil` for no limit.
  let limit: Int?
  let table: EngineTable<Engine>
  private let lease: any Sendable

  /// Opens the engine of a place, or shares it with the stores of this process that have it open.
  ///
  /// - Parameters:
  ///   - place: the same text for the same place, such as the address of a device. For a folder use
  ///     `init(folder:maxSize:expiry:clock:open:)`.
  ///   - maxSize: the most bytes of keys and values; 0 for no limit.
  ///   - expiry: the expiry of what is stored without one.
  ///   - clock: the clock that expiries are compared with.
  ///   - open: opens the engine. Called only if no store of this process has it open.
  public convenience init(
    place: String, maxSize: UInt = 0, expiry: Expiry = .never, clock: StorageClock = .system,
    open: () throws -> Engine
  ) throws {
    try self.init(place, identity: place, maxSize, expiry, clock, open)
  }

  /// Opens the engine in a folder, which is made if need be, or shares it with the stores of this process that have it
  /// open under any path.
  ///
  /// `open` gets the absolute path. Throws `.invalidConfiguration` for what is no path, and `.backendFailed` if the
  /// folder cannot be made.
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

  /// Makes a store over an open engine. `lease` keeps the engine open.
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

  /// The number of bytes of all keys and values, also of entries that have expired and not been swept yet.
  ///
  /// `maxSize` limits it. With a limit it is known; without one, all entries are read.
  public var totalSize: Int {
    get throws {
      try explaining("measure the entries") {
        if limit != nil { try table.measure() }
        return try table.totalSize()
      }
    }
  }

  /// Turns an error of the engine into one that names the key, the place, and what to do.
  package func explaining<R>(_ aim: String, _ key: Key? = nil, _ body: () throws -> R) throws(StorageError)
    -> R
  {
    do { return try body() } catch {
      throw .explaining(error, aim, key: key, place: place, by: table.engine.explained)
    }
  }
}
