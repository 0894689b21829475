public import Foundation
public import NIOCore
public import StrataCore
public import Vapor

/// A `Cache` of Vapor over any store of Strata: memory, a disk, Redis, PostgreSQL, or a chain of several.
///
/// ```swift
/// let store = try RedisStorage<String>(client: redis, namespace: "cache")
/// app.caches.use(.strata(store))
///
/// app.get("ada") { request -> User in
///   if let user = try await request.cache.get("ada", as: User.self) { return user }
///   try await request.cache.set("ada", to: ada, expiresIn: .hours(1))
///   return ada
/// }
/// ```
///
/// Values are stored as JSON under their keys, so that a view of the store with `.codable(_:)` reads them too. Each
/// call takes one operation of the store, in a task of its own, and completes on the event loop of the request. Errors
/// of the store, and of the decoding of a value of another type, fail the future. It can be used from any thread. A
/// synchronous store, such as `DiskStorage`, blocks the task's thread while it waits for a file; pass the `async` form
/// of a chain to avoid that.
public struct StrataCache<Store: StorageAware>: Cache, Sendable
where Store.Key == String, Store.Value == Data {
  private let store: Store
  private let eventLoop: any EventLoop

  /// Creates a cache that completes on an event loop.
  public init(_ store: Store, on eventLoop: any EventLoop) {
    self.store = store
    self.eventLoop = eventLoop
  }

  /// Returns a value, or `nil` if there is none.
  public func get<T: Decodable>(_ key: String, as type: T.Type) -> EventLoopFuture<T?> {
    eventLoop.makeFutureWithTask { [store] in try await store.objectIfPresent(forKey: key) }
      .decoded { try JSONDecoder().decode(T.self, from: $0) }
  }

  /// Stores a value with the store's own expiry, which is none by default; `nil` removes the value.
  public func set<T: Encodable>(_ key: String, to value: T?) -> EventLoopFuture<Void> {
    set(key, to: value, expiresIn: nil)
  }

  /// Stores a value for a time; `nil` removes the value. Without a time the store's own expiry applies.
  public func set<T: Encodable>(
    _ key: String, to value: T?, expiresIn expirationTime: CacheExpirationTime?
  ) -> EventLoopFuture<Void> {
    let data: Data?
    do { data = try value.map { try JSONEncoder().encode($0) } } catch {
      return eventLoop.makeFailedFuture(error)
    }
    return eventLoop.makeFutureWithTask { [store] in
      guard let data else { return try await store.removeObject(forKey: key) }
      try await store.setObject(
        data, forKey: key, expiry: expirationTime.map { .seconds(Double($0.seconds)) })
    }
  }

  /// Returns a cache that completes on the event loop of a request.
  public func `for`(_ request: Request) -> StrataCache { StrataCache(store, on: request.eventLoop) }
}

extension Application.Caches.Provider {
  /// A cache in a store of Strata.
  ///
  /// ```swift
  /// app.caches.use(.strata(store))
  /// ```
  public static func strata(_ store: some StorageAware<String, Data>) -> Self {
    Self { $0.caches.use { StrataCache(store, on: $0.eventLoopGroup.next()) } }
  }
}

extension EventLoopFuture<Data?> {
  /// Returns the value that the bytes are decoded to, on the event loop.
  ///
  /// `Cache` does not require that the conformance of the value's type may be used on any thread; Vapor's own caches
  /// use it on any. Hence the unchecked closure, in a function whose `T` has no conformance.
  fileprivate func decoded<T>(_ decode: @escaping (Data) throws -> T) -> EventLoopFuture<T?> {
    nonisolated(unsafe) let decode = decode
    return flatMapThrowing { try $0.map(decode) }
  }
}
