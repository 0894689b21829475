public import Foundation
public import StrataCore

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A shared HTTP cache (RFC 9111) of the responses that this process makes itself, in any store.
///
/// It is the cache of a server, for the middleware of a web framework. ``HTTPCache`` is the private cache of a client.
///
/// ```swift
/// let cache = SharedHTTPCache(store: disk, config: HTTPCacheConfig(heuristicLimit: 0, bodyLimit: 1_000_000))
/// let response = try await cache.response(to: .url(url)) { request in
///   try await web.retrieve(forKey: request)   // The handler.
/// }
/// print(response.data.count)
/// ```
///
/// **Rules** are those of `HTTPCache`, with the differences of a shared cache: `s-maxage` precedes `max-age`, and it
/// and `proxy-revalidate` forbid stale responses. A response is not stored if it is `private` or has `Set-Cookie`, or
/// if its request had an `Authorization` and it has none of `public`, `must-revalidate` and `s-maxage`.
///
/// **Users** are kept apart by `Vary` and `Authorization`, and by `Cookie` unless a response is `public` or has
/// `s-maxage`. The fields of a request count as it has them.
///
/// **Concurrent** misses on one URL wait for one handler, which runs in its caller's task, and share its response if it
/// is stored and answers them too. Otherwise, and if it throws, each caller's handler runs. Callers do not wait for a
/// URL whose last response was not stored. If the running caller is cancelled, another caller's handler runs.
///
/// **Stale while revalidate**: the first caller waits for the validation, and meanwhile others receive the stale
/// response, since a handler cannot outlive its request.
///
/// **Failures** of a handler are thrown to its caller, unless a stale response may be served instead; failures of the
/// store are thrown as `.backendFailed`, as `HTTPCache` does. It can be used from any thread.
///
/// **The store** has one entry per URL, as that of `HTTPCache`, but must not be the store of one: a private cache
/// stores responses that are for one user. Limit its size, since nothing else limits the number of URLs.
public struct SharedHTTPCache<Store: StorageAware>: Sendable where Store.Key == String, Store.Value == Data {
  let engine: HTTPCacheEngine<Store>
  private let unstored = UnstoredTargets()

  /// Creates a cache. `isForOneUser` of the configuration does not apply.
  public init(store: Store, config: HTTPCacheConfig = HTTPCacheConfig()) {
    engine = HTTPCacheEngine(store: store, config: config, sessions: [], isShared: true)
  }

  /// Returns a stored response if that is allowed, and the handler's otherwise.
  ///
  /// The handler makes the response to the request that it receives, which may have fields that validate a stored
  /// response. It is called in this task, at most twice, and never after the function has returned. A response that is
  /// not from the store has the very `httpUrlResponse` object that the handler returned.
  ///
  /// ```swift
  /// let cache = SharedHTTPCache(store: disk)
  /// let response = try await cache.response(to: .url(url)) { try await web.retrieve(forKey: $0) }
  /// print(response.data.count)
  /// ```
  public func response(
    to request: Request, from handler: (Request) async throws -> Response
  ) async throws -> Response {
    let fields = engine.fields(of: request.urlRequest)
    guard let question = Question(request.urlRequest, fields: fields) else {
      return try await engine.passing(request, fields, to: handler)
    }
    let key = LoadKey(target: question.target, question: nil)
    var waits = !unstored.contains(question.target)
    while true {
      if let loaded = try await engine.fromStore(question, refreshing: { engine.flights.isOpen(key) }) {
        return loaded.response
      }
      if question.range != nil { return try await engine.passing(request, fields, to: handler) }
      guard waits else {
        let flight = engine.flights.begin(key)
        defer { engine.flights.giveUp(flight) }
        return try await load(question, flight, from: handler).response
      }
      switch engine.flights.enter(key, waits: false) {
      case .lead(let flight):
        return try await engine.flights.lead(flight) {
          try await load(question, flight, from: handler)
        }.response
      case .join(let flight):
        // The load's own caller gets its error. `.again`: that caller was cancelled.
        if case .landed = try await engine.flights.wait(for: flight) { waits = false }
        try Task.checkCancellation()
      }
    }
  }

  private func load(
    _ question: Question, _ flight: FlightID, from handler: (Request) async throws -> Response
  ) async throws -> LoadedResponse {
    var isStored = false
    defer { unstored.note(question.target, isStored: isStored) }
    let loaded = try await engine.load(question, flight, from: handler)
    isStored = loaded.isStored
    return loaded
  }

  /// Returns whether a handler's response would be stored, from its status and fields: only then its body is needed.
  ///
  /// ```swift
  /// let cache = SharedHTTPCache(store: disk)
  /// if let head = HTTPURLResponse(
  ///   url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: ["Cache-Control": "max-age=60"])
  /// {
  ///   print(cache.mayStore(head, for: .url(url)))   // true
  /// }
  /// ```
  public func mayStore(_ response: HTTPURLResponse, for request: Request) -> Bool {
    let now = engine.config.clock.now
    let news = StoredResponse(
      Response(httpUrlResponse: response, data: Data()), requestTime: now, responseTime: now)
    // Most responses of most handlers fail this, and it costs least.
    guard engine.isWorthStoring(news) else { return false }
    let fields = engine.fields(of: request.urlRequest)
    guard let question = Question(request.urlRequest, fields: fields), question.range == nil else {
      return false
    }
    return engine.mayStore(news.selected(by: fields, fields), for: question)
  }
}

extension SharedHTTPCache: CustomReflectable {
  /// A mirror without children: stored responses and in-flight requests may contain secrets.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The URLs whose last response was not stored, in a table of fixed size. A collision of two URLs costs a wait.
private final class UnstoredTargets: Sendable {
  private let table = Locked([Int](repeating: 0, count: 1024))

  func contains(_ target: String) -> Bool {
    let hash = target.hashValue
    return table.withLock { $0[hash & 1023] == hash }
  }

  func note(_ target: String, isStored: Bool) {
    let hash = target.hashValue
    table.withLock { table in
      if !isStored { table[hash & 1023] = hash } else if table[hash & 1023] == hash { table[hash & 1023] = 0 }
    }
  }
}
