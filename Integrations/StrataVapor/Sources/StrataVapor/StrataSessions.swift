public import Foundation
public import StrataCore
public import Vapor

/// A `SessionDriver` of Vapor over any store of Strata: memory, a disk, Redis, PostgreSQL, or a chain of several.
///
/// ```swift
/// let store = try RedisStorage<String>(client: redis, namespace: "sessions")
/// app.sessions.use(.strata(store))
/// app.middleware.use(app.sessions.middleware)
/// ```
///
/// The data of a session are stored as JSON under its identifier, 32 random bytes in Base64. Each request with a
/// session reads and writes the store once. Errors of the store fail the request. The driver can be used from any
/// thread.
public struct StrataSessions<Store: StorageAware>: AsyncSessionDriver
where Store.Key == String, Store.Value == Data {
  private let store: Store
  private let lifetime: Duration?

  /// Creates a driver.
  ///
  /// - Parameter lifetime: The time after its last request at which a session ends. It should not be shorter than that
  ///   of the cookie, `app.sessions.configuration`. `nil` for the store's own expiry, which is none by default.
  public init(_ store: Store, lifetime: Duration? = .seconds(7 * 86_400)) {
    self.store = store
    self.lifetime = lifetime
  }

  /// Stores a new session, and returns its identifier.
  public func createSession(_ data: SessionData, for request: Request) async throws -> SessionID {
    var generator = SystemRandomNumberGenerator()
    let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    return try await updateSession(
      SessionID(string: Data(bytes).base64EncodedString()), to: data, for: request)
  }

  /// Returns the data of a session, or `nil` if it does not exist or has expired.
  public func readSession(_ sessionID: SessionID, for request: Request) async throws -> SessionData? {
    try await store.objectIfPresent(forKey: sessionID.string).map {
      try JSONDecoder().decode(SessionData.self, from: $0)
    }
  }

  /// Replaces the data of a session, which then ends after its whole lifetime.
  @discardableResult
  public func updateSession(
    _ sessionID: SessionID, to data: SessionData, for request: Request
  ) async throws -> SessionID {
    try await store.setObject(
      JSONEncoder().encode(data), forKey: sessionID.string,
      expiry: lifetime.map { .seconds($0 / .seconds(1)) })
    return sessionID
  }

  /// Removes a session, if it exists.
  public func deleteSession(_ sessionID: SessionID, for request: Request) async throws {
    try await store.removeObject(forKey: sessionID.string)
  }
}

extension Application.Sessions.Provider {
  /// Sessions in a store of Strata. After `lifetime` without a request a session ends; `nil` for the store's own
  /// expiry.
  ///
  /// ```swift
  /// app.sessions.use(.strata(store, lifetime: .seconds(3600)))
  /// ```
  public static func strata(
    _ store: some StorageAware<String, Data>, lifetime: Duration? = .seconds(7 * 86_400)
  ) -> Self {
    Self { $0.sessions.use { _ in StrataSessions(store, lifetime: lifetime) } }
  }
}
