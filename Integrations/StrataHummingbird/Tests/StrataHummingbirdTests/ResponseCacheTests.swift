import Foundation
import HTTPTypes
import Hummingbird
import Strata
import Synchronization
import Testing

@testable import StrataHummingbird

/// A service with a cache of responses. Bodies are the number of the handler's call.
private final class News: Sendable {
  let time = ManualClock()
  private let store: any StorageAware<String, Data>
  private let clock: StorageClock
  let troubles = Mutex<[StorageError]>([])
  private let state = Mutex<(calls: Int, seen: [HTTPFields])>((0, []))

  /// Creates a service over a store, by the system's clock, or over memory, by `time`.
  init(_ store: (any StorageAware<String, Data>)? = nil) {
    clock = store == nil ? time.clock : .system
    self.store = store ?? MemoryStorage<String, Data>(config: MemoryConfig(clock: clock))
  }

  var calls: Int { state.withLock { $0.calls } }
  /// The fields that the handler has received last.
  var seen: HTTPFields { state.withLock { $0.seen.last ?? [:] } }

  /// Returns a service whose `/news` has the fields, and what `change` makes of the response.
  func service(
    _ fields: HTTPFields, bodyLimit: Int? = 1000,
    _ change: @escaping @Sendable (Request, Response) async throws -> Response = { $1 }
  ) -> Service<TestContext> {
    let router = Router(context: TestContext.self, options: .autoGenerateHeadEndpoints)
    add(store, to: router, bodyLimit)
    for method in [HTTPRequest.Method.get, .post] {
      router.on("news", method: method) { request, _ -> Response in
        let number = self.state.withLock { state in
          state.calls += 1
          state.seen.append(request.headers)
          return state.calls
        }
        let isKnown = fields[.eTag] != nil && request.headers[.ifNoneMatch] == fields[.eTag]
        let body = ResponseBody(byteBuffer: ByteBuffer(string: isKnown ? "" : "\(number)"))
        return try await change(
          request, Response(status: isKnown ? .notModified : .ok, headers: fields, body: body))
      }
    }
    return Service(router)
  }

  private func add(
    _ store: some StorageAware<String, Data>, to router: Router<TestContext>, _ bodyLimit: Int?
  ) {
    let config = HTTPCacheConfig(
      staleIfUnreachable: 0, heuristicLimit: 0, bodyLimit: bodyLimit, clock: clock,
      onTrouble: { error in self.troubles.withLock { $0.append(error) } })
    router.add(middleware: ResponseCacheMiddleware(store: store, config: config))
  }
}

private struct Refusal: Error {}

@Suite(.timeLimit(.minutes(2)))
struct ResponseCacheTests {
  private let fresh: HTTPFields = [.cacheControl: "max-age=60", .contentType: "text/plain"]

  @Test(
    "a response is served from each kind of store, with its age and its fields", arguments: TestStore.allCases
  )
  func hits(store: TestStore) async throws {
    let news = News(try store.open())
    let service = news.service(fresh)
    let first = try await service.send(.get, "/news")
    #expect(first.text == "1" && first.fields[.age] == nil)
    let second = try await service.send(.get, "/news")
    #expect(second.text == "1" && second.fields[.contentType] == "text/plain" && second.fields[.age] != nil)
    #expect(second.fields[.contentLength] == "1")
    #expect(try await service.send(.get, "/news?page=2").text == "2")
    #expect(try await service.send(.get, "/news", host: "other.test").text == "3")
    #expect(news.calls == 3)
  }

  @Test("a response expires, and is validated by its entity tag")
  func validation() async throws {
    let news = News()
    let service = news.service([.cacheControl: "max-age=60", .eTag: "\"a\""])
    _ = try await service.send(.get, "/news")
    news.time.advance(by: .seconds(60))
    let second = try await service.send(.get, "/news")
    #expect(second.status == .ok && second.text == "1" && news.calls == 2)
    #expect(news.seen[.ifNoneMatch] == "\"a\"")
    #expect(try await service.send(.get, "/news").text == "1")
    #expect(news.calls == 2)
  }

  @Test(
    "what is not stored is passed on as it is",
    arguments: [
      [:], [.cacheControl: "no-store"], [.cacheControl: "private, max-age=60"],
      [.cacheControl: "max-age=60", .setCookie: "id=1"], [.cacheControl: "max-age=60", .vary: "*"],
      [.lastModified: "Sun, 06 Nov 1994 08:49:37 GMT"],
    ] as [HTTPFields])
  func unstored(fields: HTTPFields) async throws {
    let news = News()
    let service = news.service(fields)
    for number in 1...2 {
      let answer = try await service.send(.get, "/news")
      #expect(answer.text == "\(number)" && answer.fields[.age] == nil)
      for field in fields { #expect(answer.fields[field.name] == field.value) }
    }
  }

  @Test("several cookies of a response stay several")
  func cookies() async throws {
    let service = News().service([.cacheControl: "max-age=60"]) { _, response in
      var response = response
      response.headers[values: .setCookie] = ["a=1", "b=2"]
      return response
    }
    #expect(try await service.send(.get, "/news").fields[values: .setCookie] == ["a=1", "b=2"])
  }

  @Test("users with other credentials, cookies or varying fields do not share a response")
  func users() async throws {
    let service = News().service([.cacheControl: "max-age=60", .vary: "Accept-Language"])
    #expect(try await service.send(.get, "/news").text == "1")
    #expect(try await service.send(.get, "/news", [.authorization: "a"]).text == "2")
    #expect(try await service.send(.get, "/news", [.authorization: "a"]).text == "3")
    #expect(try await service.send(.get, "/news", [.cookie: "a=1"]).text == "4")
    #expect(try await service.send(.get, "/news", [.acceptLanguage: "de"]).text == "5")
    #expect(try await service.send(.get, "/news", [.userAgent: "x"]).text == "1")
    #expect(try await service.send(.get, "/news", [.acceptLanguage: "DE"]).text == "5")
  }

  @Test("HEAD and other methods reach the handler; after a POST the response is requested anew")
  func methods() async throws {
    let news = News()
    let service = news.service(fresh)
    #expect(try await service.send(.get, "/news").text == "1")
    #expect(try await service.send(.head, "/news").text == "")
    #expect(try await service.send(.get, "/news").text == "1")
    #expect(try await service.send(.get, "/news", body: "a body").text == "3")
    #expect(try await service.send(.post, "/news", body: "a body").text == "4")
    #expect(try await service.send(.get, "/news").text == "5")
  }

  @Test("a range is cut out of a stored response, and otherwise requested from the handler")
  func ranges() async throws {
    let news = News()
    let service = news.service(fresh) { _, response in
      var response = response
      response.body = ResponseBody(byteBuffer: ByteBuffer(string: "0123456789"))
      return response
    }
    #expect(try await service.send(.get, "/news", [.range: "bytes=2-3"]).status == .ok)
    #expect(news.seen[.range] == "bytes=2-3")
    _ = try await service.send(.get, "/news")
    let part = try await service.send(.get, "/news", [.range: "bytes=2-3"])
    #expect(part.status == .partialContent && part.text == "23" && news.calls == 2)
  }

  @Test("a condition is answered by a 304, from the store or from the handler's response")
  func conditions() async throws {
    let news = News()
    let service = news.service([
      .cacheControl: "max-age=60", .eTag: "\"a\"", .lastModified: "Sun, 06 Nov 1994 08:49:37 GMT",
    ])
    let conditions: [(HTTPFields, HTTPResponse.Status)] = [
      ([.ifNoneMatch: "\"a\""], .notModified), ([.ifNoneMatch: "\"b\", W/\"a\""], .notModified),
      ([.ifNoneMatch: "*"], .notModified), ([.ifNoneMatch: "\"b\""], .ok),
      ([.ifModifiedSince: "Sun, 06 Nov 1994 08:49:37 GMT"], .notModified),
      ([.ifModifiedSince: "Sun, 06 Nov 1994 08:49:38 GMT"], .ok),
      ([.ifNoneMatch: "\"b\"", .ifModifiedSince: "Sun, 06 Nov 1994 08:49:37 GMT"], .ok),
    ]
    for (fields, status) in conditions {
      let answer = try await service.send(.get, "/news", fields)
      #expect(answer.status == status && answer.text == (status == .ok ? "1" : ""))
      #expect(answer.fields[.eTag] == "\"a\"")
    }
    #expect(news.calls == 1)
    // These conditions forbid the request, so the handler decides.
    #expect(try await service.send(.get, "/news", [.ifMatch: "\"a\""]).text == "2")
  }

  @Test("a stream, and a body above the limit, are passed on and not stored")
  func bodies() async throws {
    let news = News()
    let stream = news.service(fresh) { _, response in
      var response = response
      response.body = ResponseBody { writer in
        try await writer.write(ByteBuffer(string: "a"))
        try await writer.write(ByteBuffer(string: "b"))
        try await writer.finish(nil)
      }
      return response
    }
    for _ in 1...2 { #expect(try await stream.send(.get, "/news").text == "ab") }
    #expect(news.calls == 2)
    let long = News()
    let service = long.service(fresh, bodyLimit: 0)
    for number in 1...2 { #expect(try await service.send(.get, "/news").text == "\(number)") }
  }

  @Test(
    "concurrent misses share one call of the handler if its response is stored", arguments: [true, false])
  func crowd(isStored: Bool) async throws {
    let news = News()
    let (gate, opening) = AsyncStream.makeStream(of: Void.self)
    let control = isStored ? "max-age=60" : "no-store"
    let service = news.service([.cacheControl: control]) { _, response in
      // The first call waits, others pass: the stream ends once.
      for await _ in gate {}
      return response
    }
    let tasks = (0..<10).map { number in
      Task { try await service.send(.get, "/news", [.userAgent: "\(number)"]).text }
    }
    try await until { news.calls == 1 }
    opening.finish()
    var bodies: Set<String> = []
    for task in tasks { bodies.insert(try await task.value) }
    #expect(bodies.count == (isStored ? 1 : 10))
    #expect(news.calls == bodies.count)
  }

  @Test("an error of the handler reaches its client, and is not stored")
  func failures() async throws {
    let news = News()
    let isFailing = Atomic(true)
    let service = news.service(fresh) { _, response in
      if isFailing.load(ordering: .relaxed) { throw HTTPError(.notFound) }
      return response
    }
    #expect(try await service.send(.get, "/news").status == .notFound)
    #expect(try await service.send(.get, "/news").status == .notFound)
    isFailing.store(false, ordering: .relaxed)
    #expect(try await service.send(.get, "/news").text == "3")
    let broken = News().service(fresh) { _, _ in throw Refusal() }
    await #expect(throws: Refusal.self) { try await broken.send(.get, "/news") }
  }

  @Test("stale-if-error replaces a failure by the stale response, but not a 404")
  func staleIfError() async throws {
    let news = News()
    let status = Mutex<HTTPResponse.Status?>(nil)
    let service = news.service([.cacheControl: "max-age=60, stale-if-error=600"]) { _, response in
      if let status = status.withLock(\.self) { throw HTTPError(status) }
      return response
    }
    _ = try await service.send(.get, "/news")
    news.time.advance(by: .seconds(61))
    status.withLock { $0 = .serviceUnavailable }
    #expect(try await service.send(.get, "/news").text == "1")
    #expect(news.troubles.withLock(\.count) == 1)
    status.withLock { $0 = .notFound }
    #expect(try await service.send(.get, "/news").status == .notFound)
    status.withLock { $0 = .serviceUnavailable }
    #expect(try await service.send(.get, "/news").status == .serviceUnavailable)
  }

  @Test("a request that accepts only stored responses gets one, or a 504")
  func onlyIfCached() async throws {
    let service = News().service(fresh)
    #expect(
      try await service.send(.get, "/news", [.cacheControl: "only-if-cached"]).status == .gatewayTimeout)
    _ = try await service.send(.get, "/news")
    #expect(try await service.send(.get, "/news", [.cacheControl: "only-if-cached"]).text == "1")
  }

  @Test("a store that fails is reported, and does not fail the request", arguments: [true, false])
  func brokenStore(isBrokenForReading: Bool) async throws {
    let news = News(BrokenStore(isBrokenForReading: isBrokenForReading))
    let service = news.service(fresh)
    #expect(try await service.send(.get, "/news").text == "1")
    #expect(try await service.send(.get, "/news").text == "2")
    #expect(try await service.send(.post, "/news").text == "3")
    #expect(news.calls == 3)
    #expect(news.troubles.withLock(\.count) == 3)
  }

  @Test(
    "a host with a path in it is another host's",
    arguments: ["service.test/a", "service.test#", "a@service.test"])
  func hosts(host: String) async throws {
    let news = News()
    let service = news.service(fresh)
    for number in 1...2 { #expect(try await service.send(.get, "/news", host: host).text == "\(number)") }
    #expect(try await service.send(.get, "/news").text == "3")
  }
}

/// A store whose writes fail, and its reads if wanted.
private struct BrokenStore: SyncSimpleStorage {
  let isBrokenForReading: Bool

  func entryIfPresent(forKey key: String) throws -> Entry<Data>? {
    if isBrokenForReading { throw Refusal() }
    return nil
  }
  func setObject(_ object: Data, forKey key: String, expiry: Expiry?) throws { throw Refusal() }
  func removeObject(forKey key: String) throws { throw Refusal() }
  func removeAll() throws { throw Refusal() }
  func removeExpiredObjects() throws { throw Refusal() }
  func keys() throws -> [String] { [] }
}
