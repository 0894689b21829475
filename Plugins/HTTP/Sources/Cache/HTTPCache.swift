public import Foundation
public import StrataCore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A private HTTP cache (RFC 9111) in front of any origin, with any store.
///
/// ```swift
/// let disk = try DiskStorage<String>(config: DiskConfig(name: "Web", maxSize: 50_000_000))
/// let web = HTTPCache(store: disk)
/// let response = try await web.retrieve(forKey: .url(url))
/// ```
///
/// **Answers**: a fresh response is returned at once, a stale response after the origin has validated it, as the
/// response's directives allow. A response from the store has an `Age`, and a `Cache-Status` (RFC 9211) whose last
/// member, `Strata`, gives the reason. The README of the plugin lists all directives.
///
/// **Users** are kept apart by all fields in `Vary`, by credentials, and, where a response is `private`, by cookies.
/// Fields and cookies that the session adds count like the request's own.
///
/// **Concurrent** misses share a single load if the requests are equal in every field. A response that must not be
/// stored is not shared: the other callers send their own requests. Cancelling one caller does not affect the others;
/// cancelling all cancels the request.
///
/// **Other requests** go to the origin: methods other than `GET`, conditional requests (`If-None-Match` …), and a
/// `Range` of a response that is not stored or not fresh. An unsafe method that did not fail removes the stored
/// responses of its URL, and of `Location` and `Content-Location` on the same host.
///
/// **Failures** of the origin are thrown, unless `stale-if-error` allows a stale response, or the origin cannot be
/// reached and no directive forbids one (``HTTPCacheConfig/staleIfUnreachable``). Failures of the store are thrown too,
/// as `.backendFailed`; if a response had arrived, the cause is an ``UnstoredResponse``. Unreadable bytes in the store
/// are ignored and overwritten.
///
/// **The store** has one entry per URL, under `storeKey(of:)`. It expires `retention` seconds after the response
/// becomes stale. Limit the size of the store, since nothing else limits the number of URLs. The store's functions are
/// called in tasks; for a disk that may be slow, pass the asynchronous form of a chain.
public struct HTTPCache<Origin: ReadableStorage, Store: StorageAware>: ReadableStorage
where Origin.Key == Request, Origin.Value == Response, Store.Key == String, Store.Value == Data {
  let origin: Origin
  let engine: HTTPCacheEngine<Store>

  /// Creates a cache in front of an origin.
  public init(origin: Origin, store: Store, config: HTTPCacheConfig = HTTPCacheConfig()) {
    self.origin = origin
    engine = HTTPCacheEngine(store: store, config: config, sessions: origin.sessions, isShared: false)
  }

  /// Creates a cache in front of the network.
  public init(store: Store, config: HTTPCacheConfig = HTTPCacheConfig()) where Origin == URLSessionStorage {
    self.init(origin: .shared, store: store, config: config)
  }

  /// The store and the origin.
  public var wrappedStorages: [any StorageDesign] { [engine.store, origin] }

  /// Returns the store's key for the responses of a URL, to inspect or remove them; `nil` if it is not an HTTP URL.
  ///
  /// ```swift
  /// if let key = HTTPCache<URLSessionStorage, DiskStorage<String>>.storeKey(of: url) {
  ///   try disk.removeObject(forKey: key)   // The next request for the URL goes to the origin.
  /// }
  /// ```
  public static func storeKey(of url: URL) -> String? { Target.key(of: url) }

  /// Returns a stored response if that is allowed, and requests one from the origin otherwise.
  public func retrieve(forKey key: Request) async throws -> Response {
    let fields = engine.fields(of: key.urlRequest)
    guard let question = Question(key.urlRequest, fields: fields) else {
      return try await engine.passing(key, fields, to: origin.retrieve)
    }
    let stored = try await engine.fromStore(question) {
      revalidateMeanwhile(question)
      return true
    }
    if let stored { return stored.response }
    if question.range != nil { return try await engine.passing(key, fields, to: origin.retrieve) }
    // A cancelled load may already have sent its request.
    try Task.checkCancellation()
    let (loaded, isFirst) = try await engine.flights.join(question.loadKey) { [engine, origin] in
      try await engine.load(question, $0, from: origin.retrieve)
    }
    if isFirst { return loaded.response }
    if loaded.isShareable {
      return engine.config.isForOneUser ? loaded.response : loaded.response.withoutCookies
    }
    return try await origin.retrieve(forKey: .urlRequest(question.forOrigin(validating: nil)))
  }

  /// Validates a stored response in the background.
  private func revalidateMeanwhile(_ question: Question) {
    guard let flight = engine.flights.enterAlone(question.loadKey) else { return }
    engine.flights.start(flight) { [engine, origin] in
      do { return try await engine.load(question, flight, from: origin.retrieve) } catch {
        engine.report(
          error, at: question, "a response could not be revalidated while it was served stale")
        throw error
      }
    }
  }
}

extension StorageDesign {
  /// All sessions of this store and the stores below.
  fileprivate var sessions: [URLSession] {
    let own = (self as? URLSessionStorage).map { [$0.session] } ?? []
    return own + wrappedStorages.flatMap(\.sessions)
  }
}

extension ReadableStorage where Key == Request, Value == Response {
  /// Returns this storage behind an HTTP cache.
  ///
  /// ```swift
  /// let web = URLSessionStorage().cached(in: disk)
  /// ```
  public func cached<Store: StorageAware<String, Data>>(
    in store: Store, config: HTTPCacheConfig = HTTPCacheConfig()
  ) -> HTTPCache<Self, Store> {
    HTTPCache(origin: self, store: store, config: config)
  }
}

extension HTTPCache: CustomReflectable {
  /// A mirror without children: stored responses and in-flight requests may contain secrets.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// A response that arrived but could not be stored.
///
/// ```swift
/// do {
///   print(try await web.retrieve(forKey: .url(url)).data.count)
/// } catch let error as StorageError {
///   // The response has arrived, although the store has failed.
///   guard let unstored = error.cause as? UnstoredResponse else { throw error }
///   print(unstored.response.data.count)
/// }
/// ```
public struct UnstoredResponse: Error, CustomStringConvertible {
  /// The origin's response.
  public let response: Response
  /// The store's error.
  public let cause: any Error

  /// The response without its fields and body, and the store's error.
  public var description: String { "\(response) could not be stored: \(cause)" }
}

/// The result of a load from the origin.
struct LoadedResponse: Sendable {
  let response: Response
  /// Whether other callers with an equal request may receive the response.
  var isShareable: Bool
  /// Whether the response is in the store.
  var isStored = true
  /// Whether the response is one that was stored before, perhaps with new fields.
  var isFromStore = false
}
