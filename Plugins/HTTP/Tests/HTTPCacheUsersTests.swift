import Dispatch
import Foundation
import StrataCore
import StrataMemory
import TestSupport
import Testing

@testable import StrataHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Requests of several users through one cache or one store: each user receives the response to their own request.
@Suite(.endsInTime)
struct HTTPCacheUsersTests {
  /// A server that answers with the fields that identify a user.
  private func echo(_ control: String, vary: String? = nil) throws -> LocalServer {
    try LocalServer { request in
      let names = ["authorization", "accept-language", "cookie", "x-user"]
      let text = names.map { request.fields[$0] ?? "-" }.joined(separator: " ")
      var fields = ["Cache-Control": control]
      fields["Vary"] = vary
      return .ok(text, fields)
    }
  }

  @Test(
    "hundreds of concurrent requests that differ in one field each receive their own response",
    arguments: ["Authorization", "Accept-Language", "Cookie", "X-User"], ["max-age=60", "no-store"])
  func crowd(name: String, control: String) async throws { try await crowd(name, control, vary: name) }

  @Test(
    "users with different credentials are kept apart without any directive of the origin",
    arguments: ["max-age=60", "no-store", "public, max-age=60"])
  func crowdWithoutVary(control: String) async throws { try await crowd("Authorization", control, vary: nil) }

  private func crowd(_ name: String, _ control: String, vary: String?) async throws {
    let server = try echo(control, vary: vary)
    defer { server.stop() }
    let cache = HTTPCache(store: DictionaryStorage<String, Data>())
    let url = try server.url()
    let wrong = await withTaskGroup(of: Bool.self) { group in
      for index in 0..<320 {
        let value = "user\(index % 40)"
        group.addTask {
          let answer = try? await cache.retrieve(forKey: request(url, "GET", [name: value]))
          return answer?.text.split(separator: " ").contains(Substring(value)) != true
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(wrong == 0)
  }

  @Test(
    "hundreds of concurrent POSTs with different bodies each reach the origin and receive their own response")
  func posts() async throws {
    let server = try LocalServer { .ok($0.body, ["Cache-Control": "max-age=60"]) }
    defer { server.stop() }
    let cache = HTTPCache(store: DictionaryStorage<String, Data>())
    let url = try server.url()
    let right = try await withThrowingTaskGroup(of: Bool.self) { group in
      for index in 0..<320 {
        group.addTask {
          var post = request(url, "POST").urlRequest
          post.httpBody = Data("body \(index % 40)".utf8)
          return try await cache.retrieve(forKey: .urlRequest(post)).text == "body \(index % 40)"
        }
      }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(right == 320)
    #expect(server.received.count == 320)
  }

  @Test("concurrent requests with equal fields send one request per user to the origin")
  func flights() async throws {
    let hold = DispatchSemaphore(value: 0)
    let web = try Web {
      hold.wait()
      return .ok($0.fields["accept-language"] ?? "-", ["Cache-Control": "max-age=60"])
    }
    defer { web.stop() }
    let tasks = (0..<90).map { index in
      Task { try await web.get("/", ["Accept-Language": ["de", "en", "fr"][index % 3]]) }
    }
    await until { web.cache.engine.flights.waiting == tasks.count }
    for _ in 0..<3 { hold.signal() }
    for (index, task) in tasks.enumerated() {
      #expect(try await task.value.text == ["de", "en", "fr"][index % 3])
    }
    #expect(web.server.received.count == 3)
  }

  /// A session that adds a field to all of its requests.
  private func session(adding fields: [String: String]) -> URLSessionStorage {
    let configuration = URLSessionConfiguration.uncached
    configuration.httpAdditionalHeaders = fields
    return URLSessionStorage(urlSessionConfiguration: configuration)
  }

  @Test(
    "fields added by a session are treated like fields of the request",
    arguments: [("Authorization", nil), ("authorization", nil), ("X-User", "X-User"), ("x-user", "X-USER")])
  func additionalFields(name: String, vary: String?) async throws {
    let server = try echo("max-age=60", vary: vary)
    defer { server.stop() }
    let store = DictionaryStorage<String, Data>()
    let url = try server.url()
    for user in ["ann", "bob", "ann", "bob"] {
      let cache = session(adding: [name: user]).cached(in: store)
      #expect(try await cache.retrieve(forKey: .url(url)).text.contains(user))
    }
    #expect(server.received.count == 2)
  }

  @Test("a field of the request has priority over the same field of the session")
  func precedence() async throws {
    let server = try echo("max-age=60")
    defer { server.stop() }
    let store = DictionaryStorage<String, Data>()
    let key = request(try server.url(), "GET", ["Authorization": "carl"])
    for user in ["ann", "bob"] {
      let cache = session(adding: ["authorization": user]).cached(in: store)
      #expect(try await cache.retrieve(forKey: key).text.contains("carl"))
    }
    #expect(server.received.count == 1)
  }

  @Test("a session is found through combinators too")
  func deepSession() async throws {
    let server = try echo("max-age=60")
    defer { server.stop() }
    let store = DictionaryStorage<String, Data>()
    for user in ["ann", "bob"] {
      let origin = session(adding: ["Authorization": user]).mapURLKeys().mapKeys(to: Request.self) {
        $0.urlRequest.url ?? URL(fileURLWithPath: "/")
      }
      #expect(try await origin.cached(in: store).retrieve(forKey: .url(server.url())).text.contains(user))
    }
  }

  @Test("a no-store or Range added by a session is obeyed like one in the request")
  func directives() async throws {
    let server = try echo("max-age=60")
    defer { server.stop() }
    for fields in [["Cache-Control": "no-store"], ["Range": "bytes=0-0, 2-3"]] {
      let store = DictionaryStorage<String, Data>()
      _ = try await session(adding: fields).cached(in: store).retrieve(forKey: .url(server.url()))
      #expect(store.objects.isEmpty)
    }
  }

  @Test("two requests are equal as keys only if a server cannot distinguish them")
  func keys() throws {
    let url = try #require(URL(string: "http://example.com/a"))
    func with(_ change: (inout URLRequest) -> Void) -> Request {
      var request = URLRequest(url: url)
      change(&request)
      return .urlRequest(request)
    }
    let different: [Request] = [
      .url(url), with { $0.httpMethod = "POST" },
      with {
        $0.httpMethod = "POST"; $0.httpBody = Data("a".utf8)
      },
      with {
        $0.httpMethod = "POST"; $0.httpBody = Data("b".utf8)
      },
      with { $0.setValue("a", forHTTPHeaderField: "Authorization") },
      with { $0.setValue("b", forHTTPHeaderField: "Authorization") },
      with { $0.setValue("a", forHTTPHeaderField: "Accept") },
      with { $0.cachePolicy = .reloadIgnoringLocalCacheData },
      with { $0.httpBodyStream = InputStream(data: Data()) },
      with { $0.httpShouldHandleCookies = false },
    ]
    #expect(Set(different).count == different.count)
    #expect(Request.url(url) == with { _ in })
    #expect(Set([Request.url(url), with { _ in }]).count == 1)
    let one = with { $0.setValue("a", forHTTPHeaderField: "x-y") }
    #expect(one == with { $0.setValue("a", forHTTPHeaderField: "X-Y") })
  }

  @Test("memory in front of the network keeps requests apart that differ in a field or in the body")
  func memoryInFront() async throws {
    let server = try LocalServer { .ok("\($0.fields["authorization"] ?? "-") \($0.body)") }
    defer { server.stop() }
    let pages = MemoryStorage<Request, Response>().backed(by: URLSessionStorage.shared)
    let url = try server.url()
    for _ in 0..<2 {
      for user in ["ann", "bob"] {
        #expect(
          try await pages.retrieve(forKey: request(url, "GET", ["Authorization": user])).text == "\(user) ")
        var post = request(url, "POST", ["Authorization": "x"]).urlRequest
        post.httpBody = Data(user.utf8)
        #expect(try await pages.retrieve(forKey: .urlRequest(post)).text == "x \(user)")
      }
    }
    #expect(server.received.count == 4)
  }
}
