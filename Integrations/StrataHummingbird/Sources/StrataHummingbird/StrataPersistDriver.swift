public import Foundation
public import Hummingbird
public import Logging
import ServiceLifecycle
public import StrataCore

/// A `PersistDriver` over any store of Strata: memory, a disk, Redis, PostgreSQL, or a chain of several.
///
/// ```swift
/// let store = try RedisStorage<String>(client: redis, namespace: "sessions")
/// let persist = StrataPersistDriver(store)
/// let app = Application(router: router, services: [persist])
/// ```
///
/// Values are stored as JSON under their keys, so that a view of the store with `.codable(_:)` reads them too. `create`
/// and `set` are atomic for all writers of the store, including other processes that share it. A store that is not
/// `ConditionalStorage` and `UpdateableStorage` by itself becomes both with `.serial()`, for the writers of this
/// process.
///
/// Each function takes one operation of the store; `set` without `expires` takes two if there is no value. Errors of
/// the store are thrown as they are. The functions can be called from any thread. A synchronous store, such as
/// `DiskStorage`, blocks the task's thread while it waits for a file; pass the `async` form of a chain to avoid that.
public struct StrataPersistDriver<Store: ConditionalStorage & UpdateableStorage>: PersistDriver
where Store.Key == String, Store.Value == Data {
  private let store: Store
  private let sweepInterval: Duration
  private let logger: Logger

  /// Creates a driver.
  ///
  /// - Parameters:
  ///   - sweepInterval: The time between two removals of expired entries by `run`. Reads never return expired values,
  ///     and a server such as Redis removes them by itself.
  ///   - logger: Receives the errors of these removals.
  public init(
    _ store: Store, sweepInterval: Duration = .seconds(600), logger: Logger = Logger(label: "strata.persist")
  ) {
    self.store = store
    self.sweepInterval = sweepInterval
    self.logger = logger
  }

  /// Stores a value under a key that has none, or an expired one. Throws `PersistError.duplicate` otherwise.
  ///
  /// ```swift
  /// try await persist.create(key: "ada", value: user, expires: .seconds(600))
  /// ```
  ///
  /// Without `expires` the store's own expiry applies, which is none by default.
  public func create<Object: Codable & Sendable>(
    key: String, value: Object, expires: Duration?
  ) async throws {
    let data = try Transformer.codable(Object.self).toData(value)
    guard try await store.setIfAbsent(data, forKey: key, expiry: expires.map(Expiry.init)) else {
      throw PersistError.duplicate
    }
  }

  /// Stores a value. Without `expires` a value that has not expired keeps its time of expiry.
  ///
  /// ```swift
  /// try await persist.set(key: "ada", value: user, expires: .seconds(600))
  /// try await persist.set(key: "ada", value: changed, expires: nil)   // Expires at the same time.
  /// ```
  public func set<Object: Codable & Sendable>(
    key: String, value: Object, expires: Duration?
  ) async throws {
    let data = try Transformer.codable(Object.self).toData(value)
    if let expires { return try await store.setObject(data, forKey: key, expiry: Expiry(expires)) }
    while true {
      do {
        try await store.update(forKey: key) { $0 = data }
        return
      } catch StorageError.notFound {
        if try await store.setIfAbsent(data, forKey: key, expiry: nil) { return }
        // Another writer has stored a value meanwhile.
      }
    }
  }

  /// Returns a value, or `nil` if there is none. Throws `PersistError.invalidConversion` if it is not of this type.
  ///
  /// ```swift
  /// let user = try await persist.get(key: "ada", as: User.self)
  /// ```
  public func get<Object: Codable & Sendable>(key: String, as type: Object.Type) async throws -> Object? {
    try await getWithTTL(key: key, as: type)?.object
  }

  /// Returns a value and the time until it expires, or `nil` if there is none. Throws `PersistError.invalidConversion`
  /// if it is not of this type.
  ///
  /// ```swift
  /// if let (user, ttl) = try await persist.getWithTTL(key: "ada", as: User.self) { print(user.name, ttl ?? .zero) }
  /// ```
  public func getWithTTL<Object: Codable & Sendable>(
    key: String, as type: Object.Type
  ) async throws -> (object: Object, ttl: Duration?)? {
    guard let entry = try await store.entryIfPresent(forKey: key), !entry.expiry.isExpired(by: store.clock)
    else { return nil }
    let object: Object
    do { object = try Transformer.codable(type).fromData(entry.object) } catch {
      throw PersistError.invalidConversion
    }
    guard case .date(let date) = entry.expiry else { return (object, nil) }
    return (object, .seconds(max(0, date.timeIntervalSince(store.clock.now))))
  }

  /// Removes a value, if there is one.
  ///
  /// ```swift
  /// try await persist.remove(key: "ada")
  /// ```
  public func remove(key: String) async throws { try await store.removeObject(forKey: key) }

  /// Removes expired entries from time to time, until the service shuts down. An application calls it for its services.
  ///
  /// A removal that fails is logged, and tried again after `sweepInterval`. The store is not closed, since others may
  /// use it.
  public func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        do {
          try await Task.sleep(for: sweepInterval)
          try await store.removeExpiredObjects()
        } catch is CancellationError {
          return
        } catch {
          logger.error("expired entries could not be removed", metadata: ["error": "\(error)"])
        }
      }
    }
  }
}

extension Expiry {
  fileprivate init(_ duration: Duration) { self = .seconds(duration / .seconds(1)) }
}
