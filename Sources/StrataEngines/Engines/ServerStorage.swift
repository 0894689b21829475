#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

/// A store of bytes over a `KeyValueServer`, shared by processes on many machines.
///
/// ```swift
/// let server = try MemcachedServer(host: "cache.internal")
/// let sessions = try ServerStorage<UUID, MemcachedServer>(server, namespace: "sessions", expiry: .seconds(3600))
/// try await sessions.setObject(json, forKey: id)
/// ```
///
/// **Keys** may be any text, of any length. On the server they begin with the namespace and `~~`; characters other than
/// letters, digits, `-`, `.` and `_` are escaped. A key that is too long for the server is stored under its SHA-256.
///
/// **Expiry** is exact: the date is stored with the value. The server may remove the record a minute after that date.
///
/// **Batches** are sent 100 entries at a time. They are not atomic: if a batch throws, some of its entries may be
/// stored.
///
/// **Conditional writes** are atomic among all processes, since the server compares and writes atomically.
public final class ServerStorage<Key: StorageKey, Server: KeyValueServer>: StorageAware {
  /// Bytes. A typed view of the store adds other types.
  public typealias Value = Data

  /// The server that stores the entries.
  public let server: Server
  /// The clock of this machine, by which entries expire.
  public let clock: StorageClock
  /// The address of the server and the namespace, as shown in errors.
  public let place: String
  let expiry: Expiry
  /// The expiry of values that are stored without one.
  public var traits: StoreTraits { StoreTraits(ownExpiry: expiry) }
  let names: ServerNames
  /// Updates of one key through this store take turns; the server detects conflicts with other processes.
  let updates = KeyOrder<Key>()

  /// Creates a store.
  ///
  /// Throws `.invalidConfiguration` if the namespace is too long for the server.
  ///
  /// - Parameters:
  ///   - server: The server, which any number of stores may share.
  ///   - namespace: The beginning of this store's keys. Stores with different namespaces never access each other's
  ///     entries.
  ///   - expiry: The expiry of entries that are stored without one.
  ///   - clock: The clock that decides whether an entry has expired.
  public init(
    _ server: Server, namespace: String, expiry: Expiry = .never, clock: StorageClock = .system
  ) throws {
    names = ServerNames(namespace, longest: server.longestName)
    place = "\(server.address), namespace \(namespace)"
    if !names.areShortEnough {
      throw StorageError.invalidConfiguration.with(
        "the namespace \(String(reflecting: namespace)) is too long: the server allows names of "
          + "\(server.longestName) characters", place: place)
    }
    self.server = server
    self.expiry = expiry
    self.clock = clock
  }

  /// The number of names or changes in one call of the server.
  static var partSize: Int { 100 }

  /// Adds the key, the location and advice to an error of the server.
  func explaining<R>(_ aim: String, _ key: Key? = nil, _ body: () async throws -> R) async throws -> R {
    do { return try await body() } catch let error as CancellationError { throw error } catch {
      throw StorageError.explaining(error, aim, key: key, place: place, by: server.explained)
    }
  }
}

extension ServerRecord {
  /// Calls `body` with the parts of the record. Throws for a record of another program.
  func parsed<R>(_ body: (EngineRecord) throws -> R) throws -> R {
    try bytes.withUnsafeBytes { bytes in
      let record = try EngineRecord(checking: bytes)
      // Servers have no parts.
      if record.isDivided { throw EngineRecord.Foreign() }
      return try body(record)
    }
  }
}
