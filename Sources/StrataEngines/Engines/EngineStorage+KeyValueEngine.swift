public import StrataCore

extension EngineStorage where Engine: KeyValueEngine {
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
  package convenience init(
    place: String, maxSize: UInt, expiry: Expiry, clock: StorageClock, engine: Engine, state: EngineState,
    lease: any Sendable
  ) {
    let limit = maxSize == 0 ? nil : Int(clamping: maxSize)
    self.init(
      place: place, expiry: expiry, engine: engine,
      table: EngineTable(engine, state, limit: limit, clock: clock), lease: lease)
  }

  var table: EngineTable<Engine> {
    guard let table = storeTable as? EngineTable<Engine> else {
      preconditionFailure("a key-value engine has this table")
    }
    return table
  }
}
