import Dispatch
import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Cookies of requests and sessions, and responses that depend on them. Each test uses its own session, since cookies
/// ignore the port: all servers on the loopback share them.
@Suite(.endsInTime)
struct HTTPCacheCookiesTests {
  /// A session whose cookie storage has some cookies for the loopback.
  private func session(cookies: [String: String]) throws -> URLSessionStorage {
    let configuration = URLSessionConfiguration.uncached
    for (name, value) in cookies {
      let cookie = HTTPCookie(properties: [.name: name, .value: value, .domain: "127.0.0.1", .path: "/"])
      configuration.httpCookieStorage?.setCookie(try #require(cookie))
    }
    return URLSessionStorage(urlSessionConfiguration: configuration)
  }

  @Test(
    "two sessions over one store: their cookies count if the response varies by cookies or is private",
    arguments: [("max-age=60", "Cookie"), ("max-age=60, private", nil), ("private=\"x\", max-age=60", nil)])
  func cookiesOfSessions(control: String, vary: String?) async throws {
    let server = try LocalServer {
      .ok($0.fields["cookie"] ?? "-", ["Cache-Control": control, "Vary": vary ?? "Accept"])
    }
    defer { server.stop() }
    let store = DictionaryStorage<String, Data>()
    let url = try server.url()
    let caches = try ["ann", "bob"].map { try session(cookies: ["user": $0, "a": "1"]).cached(in: store) }
    for _ in 0..<2 {
      for (cache, user) in zip(caches, ["ann", "bob"]) {
        #expect(try await cache.retrieve(forKey: .url(url)).text.contains("user=\(user)"))
      }
    }
    #expect(server.received.count == 2)
  }

  @Test(
    "a private response answers requests with the same Cookie field, or all if the cache is for one user",
    arguments: [true, false])
  func cookiesOfRequests(isForOneUser: Bool) async throws {
    let server = try LocalServer { .ok($0.fields["cookie"] ?? "-", ["Cache-Control": "private, max-age=60"]) }
    defer { server.stop() }
    let cache = URLSessionStorage().cached(
      in: DictionaryStorage<String, Data>(), config: HTTPCacheConfig(isForOneUser: isForOneUser))
    for user in ["ann", "bob"] {
      let text = try await cache.retrieve(forKey: request(server.url(), "GET", ["Cookie": user])).text
      #expect(text == (isForOneUser ? "ann" : user))
    }
  }

  @Test("a response that is not private and does not vary by cookies answers requests with any cookies")
  func shared() async throws {
    let web = try Web(origin: URLSessionStorage()) {
      .ok($0.fields["cookie"] ?? "-", ["Cache-Control": "max-age=60"])
    }
    defer { web.stop() }
    for user in ["ann", "bob"] { #expect(try await web.get("/", ["Cookie": user]).text == "ann") }
  }

  @Test(
    "a response that depends on cookies is not stored if the session's cookies changed during the request")
  func changedMeanwhile() async throws {
    let server = try LocalServer {
      let fields = ["Cache-Control": "max-age=60", "Vary": "Cookie"]
      return .ok("\($0.index)", $0.index == 0 ? fields.merging(["Set-Cookie": "a=b"]) { $1 } : fields)
    }
    defer { server.stop() }
    let store = DictionaryStorage<String, Data>()
    let cache = try session(cookies: [:]).cached(in: store)
    _ = try await cache.retrieve(forKey: .url(server.url()))
    #expect(store.objects.isEmpty)
    for _ in 0..<2 { #expect(try await cache.retrieve(forKey: .url(server.url())).text == "1") }
    #expect(server.received.last?.fields["cookie"] == "a=b")
  }

  @Test(
    "Set-Cookie is served again only to requests with the same credentials and cookies",
    arguments: [
      // Cache-Control, fields of the first request, fields of the second, whether the second response sets the cookie
      ("max-age=60", [:], [:], true), ("max-age=60", [:], ["Cookie": "a"], false),
      ("max-age=60", ["Cookie": "a"], ["Cookie": "a"], true), ("max-age=60", ["Cookie": "a"], [:], false),
      ("max-age=60", ["Cookie": "a"], ["Cookie": "b"], false),
      ("max-age=60, private", [:], [:], false),
      ("max-age=60, private", ["Cookie": "a"], ["Cookie": "a"], true),
      ("max-age=60, private", ["Authorization": "a"], ["Authorization": "a"], true),
    ] as [(String, [String: String], [String: String], Bool)])
  func setCookie(control: String, first: [String: String], second: [String: String], isServed: Bool)
    async throws
  {
    // Without a cookie storage, only the cookies of the request are sent.
    let configuration = URLSessionConfiguration.uncached
    configuration.httpCookieStorage = nil
    let origin = URLSessionStorage(urlSessionConfiguration: configuration)
    for isForOneUser in [false, true] {
      let web = try Web(origin: origin, isForOneUser: isForOneUser) { _ in
        .ok("page", ["Cache-Control": control, "Set-Cookie": "session=1"])
      }
      defer { web.stop() }
      #expect(try await web.get("/", first)["Set-Cookie"] == "session=1")
      let again = try await web.get("/", second)
      #expect(again["Set-Cookie"] == (isServed || isForOneUser ? "session=1" : nil))
      #expect(web.server.received.count == 1)
    }
  }

  @Test("a session that has stored the cookie counts as another user: the cookie is not served to it again")
  func setCookieOfASession() async throws {
    let web = try Web(origin: URLSessionStorage()) { _ in
      .ok("page", ["Cache-Control": "max-age=60", "Set-Cookie": "session=1"])
    }
    defer { web.stop() }
    #expect(try await web.get()["Set-Cookie"] == "session=1")
    #expect(try await web.get()["Set-Cookie"] == nil)
    #expect(web.server.received.count == 1)
  }

  @Test("a 304's Set-Cookie is returned only to the caller whose request received it")
  func setCookieOf304() async throws {
    let web = try Web(origin: URLSessionStorage()) {
      $0.index == 0
        ? .ok("page", ["Cache-Control": "no-cache", "ETag": "1", "Set-Cookie": "c=d"])
        : .status(304, "", $0.index == 1 ? ["Set-Cookie": "a=b"] : [:])
    }
    defer { web.stop() }
    var cookies: [String?] = []
    for _ in 0..<3 { cookies.append(try await web.get()["Set-Cookie"]) }
    #expect(cookies == ["c=d", "a=b", nil])
  }

  @Test("of the callers that share a load, only the first receives the cookie that its response sets")
  func setCookieOfAFlight() async throws {
    let hold = DispatchSemaphore(value: 0)
    let web = try Web(origin: URLSessionStorage()) { _ in
      hold.wait()
      return .ok("page", ["Cache-Control": "max-age=60", "Set-Cookie": "session=1", "X-Test": "yes"])
    }
    defer { web.stop() }
    let tasks = (0..<10).map { _ in Task { try await web.get() } }
    await until { web.cache.engine.flights.waiting == tasks.count }
    hold.signal()
    var cookies = 0
    for task in tasks {
      let response = try await task.value
      #expect(response.text == "page" && response["X-Test"] == "yes")
      if response["Set-Cookie"] != nil { cookies += 1 }
    }
    #expect(cookies == 1)
  }
}
