public import Foundation
import HTTPTypes
public import Hummingbird
import Logging
public import StrataCore
public import struct StrataHTTP.HTTPCacheConfig
public import struct StrataHTTP.SharedHTTPCache

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A middleware that serves stored responses, and stores those of the handlers as far as their `Cache-Control` permits.
///
/// ```swift
/// let responses = MemoryStorage<String, Data>(config: MemoryConfig(totalCostLimit: 100_000_000))
/// router.add(middleware: ResponseCacheMiddleware(store: responses))
/// router.get("news") { _, _ -> Response in
///   Response(status: .ok, headers: [.cacheControl: "public, max-age=60"], body: .init(byteBuffer: news()))
/// }
/// ```
///
/// **Rules**: a shared cache (RFC 9111), `SharedHTTPCache` of StrataHTTP, whose documentation says which responses are
/// stored, for whom, and which handlers run. A response without a lifetime (`max-age`, `s-maxage`, `Expires`) and
/// without a validator is never stored, so that handlers opt in. Add the middleware before those that depend on the
/// user, such as sessions: what they do is skipped for a stored response.
///
/// **Bodies** are stored if their length is known before they are written and is at most `bodyLimit`. Streams are
/// passed on as they are.
///
/// **Conditions**: `If-None-Match` and `If-Modified-Since` are compared with the response, stored or not, and answered
/// by a 304. Handlers receive these fields only to validate a stored response. `HEAD` requests, other methods, and
/// ranges of what is not stored go to the handler.
///
/// **Failures** of the store do not fail a request: they are logged, reported to `onTrouble` of the configuration, and
/// the handler's response is returned. The middleware can be used from any thread.
public struct ResponseCacheMiddleware<Context: RequestContext, Store: StorageAware>: RouterMiddleware
where Store.Key == String, Store.Value == Data {
  private let cache: SharedHTTPCache<Store>
  private let config: HTTPCacheConfig

  /// Creates a middleware over a store, which should have a limit of its size.
  ///
  /// - Parameter config: By default only a response that says so is served without validation or when stale, and
  ///   bodies of more than a million bytes are not stored.
  public init(
    store: Store,
    config: HTTPCacheConfig = HTTPCacheConfig(staleIfUnreachable: 0, heuristicLimit: 0, bodyLimit: 1_000_000)
  ) {
    cache = SharedHTTPCache(store: store, config: config)
    self.config = config
  }

  /// Returns a stored response if that is allowed, and the response of `next` otherwise.
  @concurrent
  public func handle(
    _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
  ) async throws -> Response {
    guard let asked = URLRequest(request) else { return try await next(request, context) }
    // What the handler has answered, and the head by which the cache knows it.
    var made: (head: HTTPURLResponse?, result: Result<Response, any Error>)?
    do {
      let answer = try await cache.response(to: .urlRequest(asked)) { asked in
        do {
          let response = try await next(request.validating(asked.urlRequest), context)
          let (head, kept, data) = try await offer(response, to: asked)
          made = (head, .success(kept))
          return CacheResponse(httpUrlResponse: head, data: data)
        } catch {
          made = (nil, .failure(error))
          // The status of a client's error is an answer. Other errors are failures: a stale response may replace them.
          guard let status = (error as? any HTTPResponseError)?.status.code, status < 500 else { throw error }
          let head = try HTTPURLResponse.head(status, [:], for: asked)
          made = (head, .failure(error))
          return CacheResponse(httpUrlResponse: head, data: Data())
        }
      }
      if let made, made.head === answer.httpUrlResponse {
        return try made.result.get().unless(request)
      }
      return Response(answer).unless(request)
    } catch {
      if let made {
        if case .success = made.result { report(error, context) }
        return try made.result.get().unless(request)
      }
      if error is CancellationError { throw error }
      if error as? StorageError == .notFound { throw HTTPError(.gatewayTimeout) }
      report(error, context)
      return try await next(request, context)
    }
  }

  /// Returns the head and body by which the cache knows a response, and the response with its collected body. A body
  /// that cannot be stored is not collected.
  private func offer(
    _ response: Response, to asked: CacheRequest
  ) async throws -> (head: HTTPURLResponse, kept: Response, data: Data) {
    let head = try HTTPURLResponse.head(response.status.code, response.headers, for: asked)
    guard cache.mayStore(head, for: asked) else { return (head, response, Data()) }
    guard let length = response.body.contentLength, length <= config.bodyLimit ?? .max else {
      return (try .head(response.status.code, [.cacheControl: "no-store"], for: asked), response, Data())
    }
    let collected = Collected()
    try await response.body.write(BodyCollector(collected: collected))
    var kept = response
    kept.body = ResponseBody(byteBuffer: collected.buffer)
    return (head, kept, Data(collected.buffer.readableBytesView))
  }

  private func report(_ error: any Error, _ context: Context) {
    context.logger.error("the cache of responses failed", metadata: ["error": "\(error)"])
    if let error = error as? StorageError { config.onTrouble?(error) }
  }
}

/// The body that a response has written.
private final class Collected {
  var buffer = ByteBuffer()
}

private struct BodyCollector: ResponseBodyWriter {
  let collected: Collected

  mutating func write(_ buffer: ByteBuffer) { collected.buffer.writeImmutableBuffer(buffer) }
  consuming func finish(_ trailingHeaders: HTTPFields?) {}
}

extension URLRequest {
  /// Creates the request that the cache knows, without conditions that it does not need. `nil` for a request that it
  /// does not know: a `GET` with a body, or a target that is not a path of a host.
  fileprivate init?(_ request: Request) {
    let (head, fields) = (request.head, request.headers)
    let hasBody = fields[.contentLength].map { $0 != "0" } ?? false || fields[.transferEncoding] != nil
    let host = head.authority ?? "localhost"
    guard let path = head.path, path.hasPrefix("/"), !hasBody || head.method != .get,
      !host.contains(where: { "/?#@\\".contains($0) }),
      let url = URL(string: "\(head.scheme == "https" ? "https" : "http")://\(host)\(path)")
    else { return nil }
    self.init(url: url)
    httpMethod = head.method.rawValue
    for name in Set(fields.map(\.name)) { setValue(fields[name], forHTTPHeaderField: name.rawName) }
    guard head.method == .get, !request.isBound else { return }
    for name in ["If-None-Match", "If-Modified-Since"] { setValue(nil, forHTTPHeaderField: name) }
  }
}

extension HTTPURLResponse {
  fileprivate static func head(
    _ status: Int, _ fields: HTTPFields, for request: CacheRequest
  ) throws -> HTTPURLResponse {
    var joined: [String: String] = [:]
    for name in Set(fields.map(\.name)) { joined[name.rawName] = fields[name] }
    guard let url = request.urlRequest.url,
      let head = HTTPURLResponse(
        url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: joined)
    else { throw HTTPError(.internalServerError, message: "the response has fields that are not valid") }
    return head
  }
}

extension Request {
  /// Whether the request must not be carried out unless a condition holds.
  fileprivate var isBound: Bool {
    [.ifMatch, .ifUnmodifiedSince, .ifRange].contains { headers[$0] != nil }
  }

  /// Returns this request with the conditions of another one.
  fileprivate func validating(_ request: URLRequest) -> Request {
    guard method == .get else { return self }
    var head = head
    head.headerFields[.ifNoneMatch] = request.value(forHTTPHeaderField: "If-None-Match")
    head.headerFields[.ifModifiedSince] = request.value(forHTTPHeaderField: "If-Modified-Since")
    return head == self.head ? self : Request(head: head, body: body)
  }
}

extension Response {
  /// Creates a response from the store.
  fileprivate init(_ stored: CacheResponse) {
    var fields = HTTPFields()
    for case (let name as String, let value as String) in stored.httpUrlResponse.allHeaderFields {
      if let name = HTTPField.Name(name) { fields[name] = value }
    }
    self.init(
      status: HTTPResponse.Status(code: stored.httpUrlResponse.statusCode), headers: fields,
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: stored.data)))
  }

  /// Returns this response, or a 304 if the client has it (RFC 9110, 13.1.2). A date is only compared for equality.
  fileprivate func unless(_ request: Request) -> Response {
    guard status == .ok, request.method == .get, !request.isBound else { return self }
    let isKnown: Bool
    if let tags = request.headers[.ifNoneMatch] {
      isKnown =
        tags == "*" || tags.split(separator: ",").contains { Self.tag($0) == headers[.eTag].map(Self.tag) }
    } else {
      isKnown = request.headers[.ifModifiedSince].map { $0 == headers[.lastModified] } ?? false
    }
    if !isKnown { return self }
    var fields = headers
    for name: HTTPField.Name in [.contentLength, .contentType, .contentEncoding] { fields[name] = nil }
    return Response(status: .notModified, headers: fields)
  }

  private static func tag(_ text: some StringProtocol) -> Substring {
    let tag = text.drop { $0 == " " || $0 == "\t" }
    return Substring((tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]).prefix { $0 != " " })
  }
}
