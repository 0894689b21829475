public import Foundation
public import StrataCore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A private HTTP cache (RFC 9111) over any origin and any store.
///
/// ```swift
/// let disk = try DiskStorage<String>(config: DiskConfig(name: "Web", maxSize: 50_000_000))
/// let web = HTTPCache(store: disk)
/// let response = try await web.retrieve(forKey: .url(url))
/// ```
///
/// **Answers** are those the origin would give, as far as it allows to say so without asking: fresh ones at once, stale
/// ones after it was asked whether they still hold. What was served from the store has an `Age`, and a `Cache-Status`
/// (RFC 9211) whose last member, `Strata`, says why. The table in the plugin's README has all directives.
///
/// **Users** are kept apart: by all that `Vary` names, by credentials, and, where a response is `private`, by cookies;
/// the fields and cookies that the session adds count like the request's own.
///
/// **Concurrent** misses reach the origin once if the requests are the same in every field. If the response may not be
/// stored, it is not shared either: the others then ask for themselves. Cancelling one caller leaves the others alone;
/// cancelling all cancels the request.
///
/// **Other methods** than `GET`, requests for a `Range` of what is not stored and fresh, and requests with conditions
/// of their own (`If-None-Match` …) go to the origin. After an unsafe method that did not fail, what is stored under
/// its URL is removed, also under those that `Location` and `Content-Location` name on the same host.
///
/// **Failures** of the origin are thrown, unless `stale-if-error` lets a stale response stand in, or no connection can
/// be had and nobody forbids one (``HTTPCacheConfig/staleIfUnreachable``). Failures of the store are thrown too, as
/// `.backendFailed`; if a response had come by then, it is in the cause, ``UnstoredResponse``. Bytes that are no record
/// of responses are as good as none, and are overwritten.
///
/// **The store** holds one entry a URL, under `storeKey(of:)`, which lives as long as it may be of use: until it is
/// stale, and `retention` more. Bound its size: the web is large. Its functions are called in tasks; over a disk that
/// may be slow, hand in the asynchronous face of a chain.
public struct HTTPCache<Origin: ReadableStorage, Store: StorageAware>: ReadableStorage
where Origin.Key == Request, Origin.Value == Response, Store.Key == String, Store.Value == Data {
  let origin: Origin
  let store: Store
  let config: HTTPCacheConfig
  /// Changes of one record, in order.
  let records = KeyOrder<String>()
  let flights = Flights<RequestIdentity, Landing>()
  /// The sessions that requests may go through: they add header fields of their own.
  let sessions: [URLSession]

  /// Puts a cache in front of an origin.
  public init(origin: Origin, store: Store, config: HTTPCacheConfig = HTTPCacheConfig()) {
    self.origin = origin
    self.store = store
    self.config = config
    sessions = origin.sessions
  }

  /// Puts a cache in front of the network.
  public init(store: Store, config: HTTPCacheConfig = HTTPCacheConfig()) where Origin == URLSessionStorage {
    self.init(origin: .shared, store: store, config: config)
  }

  /// The store, then the origin.
  public var wrappedStorages: [any StorageDesign] { [store, origin] }

  /// The key under which the store has the responses of a URL, to look at them or remove them; `nil` if it is none of
  /// HTTP.
  public static func storeKey(of url: URL) -> String? { Target.key(of: url) }

  /// Answers from the store where that is allowed, and else asks the origin.
  public func retrieve(forKey key: Request) async throws -> Response {
    let fields = fields(of: key.urlRequest)
    guard let question = Question(key.urlRequest, fields: fields) else {
      return try await passing(key, fields)
    }
    if let landing = try await fromStore(question) { return landing.response }
    if question.range != nil { return try await passing(key, fields) }
    let (landing, isFirst) = try await flights.join(question.identity, target: question.target) {
      try await fly(question, $0)
    }
    if isFirst { return landing.response }
    if landing.isShareable {
      return config.isForOneUser ? landing.response : landing.response.withoutCookies
    }
    return try await origin.retrieve(forKey: .urlRequest(question.forOrigin(validating: nil)))
  }

  /// The header fields that the origin will see.
  func fields(of request: URLRequest) -> RequestFields {
    RequestFields(request, through: sessions, cookiesAreUsers: !config.isForOneUser)
  }
}

extension StorageDesign {
  /// All sessions of this link and of those below.
  fileprivate var sessions: [URLSession] {
    let own = (self as? URLSessionStorage).map { [$0.session] } ?? []
    return own + wrappedStorages.flatMap(\.sessions)
  }
}

extension ReadableStorage where Key == Request, Value == Response {
  /// This storage behind an HTTP cache.
  public func cached<Store: StorageAware<String, Data>>(
    in store: Store, config: HTTPCacheConfig = HTTPCacheConfig()
  ) -> HTTPCache<Self, Store> {
    HTTPCache(origin: self, store: store, config: config)
  }
}

extension HTTPCache: CustomReflectable {
  /// Nothing: what is stored, and the requests under way, may hold secrets.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// A response that came, and could not be stored.
public struct UnstoredResponse: Error, CustomStringConvertible {
  /// What the origin answered.
  public let response: Response
  /// What the store said.
  public let cause: any Error

  /// The response without its fields and body, and the store's error.
  public var description: String { "\(response) could not be stored: \(cause)" }
}

/// What came of an errand to the origin.
struct Landing: Sendable {
  let response: Response
  /// Whether others who asked the same may have it.
  let isShareable: Bool
}
