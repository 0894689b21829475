import Foundation
import StrataCore
import StrataDisk
import StrataMemory
import TestSupport
import Testing

@testable import StrataHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite(.endsInTime)
struct HTTPCacheTests {
  @Test("a fresh response is served from the store, with its age; a stale one is requested from the origin")
  func fresh() async throws {
    let web = try Web { .ok("\($0.index)", ["Cache-Control": "max-age=60", "X-Test": "yes"]) }
    defer { web.stop() }
    let first = try await web.get()
    #expect(first.text == "0" && first["Age"] == nil && first["Cache-Status"] == nil)
    web.time.advance(by: 59)
    let second = try await web.get()
    #expect(second.text == "0" && second.status == 200 && second["X-Test"] == "yes")
    #expect(second["Age"] == "59" && second["Cache-Status"] == "Strata; hit; ttl=1")
    #expect(second.httpUrlResponse.url == (try web.server.url()))
    web.time.advance(by: 1)
    #expect(try await web.get().text == "1")
    #expect(web.server.received.count == 2)
  }

  @Test("stored responses survive the process: another cache over the same folder serves them")
  func restart() async throws {
    let server = try LocalServer { .ok("\($0.index)", ["Cache-Control": "max-age=60"]) }
    defer { server.stop() }
    let folder = TemporaryFolder()
    for _ in 0..<2 {
      let disk = try DiskStorage<String>(config: DiskConfig(name: "Web", directory: folder.url))
      let response = try await HTTPCache(store: disk).retrieve(forKey: .url(server.url("/a?b")))
      #expect(response.text == "0")
    }
  }

  @Test("any storage of responses can be cached, in any store of bytes")
  func anyStore() async throws {
    let server = try LocalServer { .ok("\($0.index)", ["Cache-Control": "max-age=60"]) }
    defer { server.stop() }
    let pages = URLSessionStorage.shared.cached(in: MemoryStorage<String, Data>())
      .mapURLKeys().mapStringKeys().droppingResponse()
    for _ in 0..<2 {
      #expect(try await pages.retrieve(forKey: server.url().absoluteString) == Data("0".utf8))
    }
  }

  @Test(
    "a response that must not be stored, or has no lifetime, is requested each time",
    arguments: [
      ["Cache-Control": "no-store"], ["Cache-Control": "max-age=60, no-store"], ["Vary": "*", "ETag": "1"],
      [:],
    ])
  func unstorable(fields: [String: String]) async throws {
    let web = try Web { .ok("\($0.index)", fields) }
    defer { web.stop() }
    for expected in ["0", "1"] { #expect(try await web.get().text == expected) }
    #expect(web.store.objects.isEmpty)
  }

  @Test("the response to a request with no-store is not stored")
  func requestNoStore() async throws {
    let web = try Web { .ok("\($0.index)", ["Cache-Control": "max-age=60"]) }
    defer { web.stop() }
    #expect(try await web.get("/", ["Cache-Control": "no-store"]).text == "0")
    #expect(web.store.objects.isEmpty)
    #expect(try await web.get().text == "1")
  }

  @Test(
    "only-if-cached returns a stored response or throws notFound, without a request",
    arguments: [true, false])
  func onlyIfCached(byPolicy: Bool) async throws {
    let web = try Web { .ok("\($0.index)", ["Cache-Control": "max-age=60"]) }
    defer { web.stop() }
    let fields = byPolicy ? [:] : ["Cache-Control": "only-if-cached"]
    let policy = byPolicy ? URLRequest.CachePolicy.returnCacheDataDontLoad : .useProtocolCachePolicy
    #expect(await failure { _ = try await web.get("/", fields, policy: policy) } == .notFound)
    #expect(web.server.received.isEmpty)
    _ = try await web.get()
    #expect(try await web.get("/", fields, policy: policy).text == "0")
  }

  @Test("the session's own URL cache is bypassed")
  func sessionWithCache() async throws {
    let server = try LocalServer { .ok("\($0.index)", ["Cache-Control": "max-age=60"]) }
    defer { server.stop() }
    let configuration = URLSessionConfiguration.default
    configuration.urlCache = URLCache(memoryCapacity: 1_000_000, diskCapacity: 0, diskPath: nil)
    let origin = URLSessionStorage(urlSessionConfiguration: configuration)
    let cache = origin.cached(in: DictionaryStorage<String, Data>())
    for expected in ["0", "1"] {
      let key = request(try server.url(), "GET", ["Cache-Control": "no-cache"])
      #expect(try await cache.retrieve(forKey: key).text == expected)
    }
  }

  @Test("requests to the origin bypass all other caches")
  func policy() throws {
    let url = try #require(URL(string: "http://example.com"))
    let request = URLRequest(url: url)
    let question = try #require(Question(request, fields: RequestFields(request)))
    #expect(question.forOrigin(validating: nil).cachePolicy == .reloadIgnoringLocalCacheData)
  }

  @Test("a request that ignores the stored response updates it for other requests")
  func reload() async throws {
    let web = try Web { .ok("\($0.index)", ["Cache-Control": "max-age=60", "ETag": "1"]) }
    defer { web.stop() }
    _ = try await web.get()
    #expect(try await web.get("/", policy: .reloadIgnoringLocalCacheData).text == "1")
    #expect(web.server.received.last?.fields["if-none-match"] == nil)
    #expect(try await web.get().text == "1")
  }

  @Test("one response is stored for each combination of the fields that Vary names")
  func vary() async throws {
    let web = try Web {
      .ok("\($0.fields["x-kind"] ?? "none") \($0.index)", ["Cache-Control": "max-age=60", "Vary": "X-Kind"])
    }
    defer { web.stop() }
    for _ in 0..<2 {
      #expect(try await web.get("/", ["X-Kind": "a"]).text == "a 0")
      #expect(try await web.get("/", ["X-Kind": "b"]).text == "b 1")
      #expect(try await web.get().text == "none 2")
    }
    #expect(web.server.received.count == 3)
  }

  @Test("of too many variants, the newest are kept")
  func variantLimit() async throws {
    let web = try Web { .ok("\($0.index)", ["Cache-Control": "max-age=60", "Vary": "X-Kind"]) }
    defer { web.stop() }
    for kind in 0...CacheRecord.limit { _ = try await web.get("/", ["X-Kind": "\(kind)"]) }
    #expect(try await web.get("/", ["X-Kind": "1"]).text == "1")
    #expect(try await web.get("/", ["X-Kind": "0"]).text == "\(CacheRecord.limit + 1)")
  }

  @Test("one user's response is not served to another user, and credentials are not stored")
  func credentials() async throws {
    let web = try Web { .ok($0.fields["authorization"] ?? "", ["Cache-Control": "max-age=60"]) }
    defer { web.stop() }
    for user in ["Bearer secret-a", "Bearer secret-b"] {
      #expect(try await web.get("/", ["Authorization": user]).text == user)
    }
    let key = try web.key()
    let record = try CacheRecord.transformer.fromData(#require(web.store.objects[key]))
    #expect(
      record.variants.map { String(decoding: $0.body, as: UTF8.self) } == [
        "Bearer secret-b", "Bearer secret-a",
      ])
    #expect(record.variants.allSatisfy { $0.fields["Authorization"] == nil && $0.selection.count == 32 })
  }

  @Test("other methods, ranges and the caller's own conditions are sent to the origin unchanged")
  func passing() async throws {
    let web = try Web { .ok("\($0.index)", ["Cache-Control": "max-age=60", "ETag": "1"]) }
    defer { web.stop() }
    _ = try await web.get()
    for fields in [["Range": "bytes=0-0,2-2"], ["If-None-Match": "2"], ["If-Modified-Since": httpDate(0)]] {
      let index = web.server.received.count
      #expect(try await web.get("/", fields).text == "\(index)")
    }
    _ = try await web.send("OPTIONS")
    #expect(web.server.received.count == 5)
    #expect(try await web.get().text == "0")
  }

  @Test(
    "an unsafe method that succeeds removes the stored responses",
    arguments: ["POST", "PUT", "DELETE", "PATCH", "X"])
  func invalidation(method: String) async throws {
    let web = try Web {
      .ok(
        "\($0.index)",
        ["Cache-Control": "max-age=60", "Content-Location": "/item", "Location": "http://other.invalid/"])
    }
    defer { web.stop() }
    _ = try await web.get("/list")
    _ = try await web.get("/item")
    _ = try await web.get("/other")
    _ = try await web.send(method, "/list")
    #expect(try await web.get("/list").text == "4")
    #expect(try await web.get("/item").text == "5")
    #expect(try await web.get("/other").text == "2")
  }

  @Test("an unsafe method that the origin refuses removes nothing", arguments: [400, 404, 500])
  func refusedChange(status: Int) async throws {
    let web = try Web {
      $0.method == "GET" ? .ok("\($0.index)", ["Cache-Control": "max-age=60"]) : .status(status)
    }
    defer { web.stop() }
    _ = try await web.get()
    #expect(try await web.send("PUT").status == status)
    #expect(try await web.get().text == "0")
  }

  @Test(
    "an unsafe request that is redirected removes the stored responses of both URLs",
    arguments: [303, 307], [200, 404])
  func redirectedUnsafe(redirection: Int, final: Int) async throws {
    let web = try Web { request in
      switch (request.method, request.target) {
      case ("POST", "/"): .status(redirection, "", ["Location": "/new"])
      case ("GET", "/new") where request.index == 3, ("POST", _): .status(final, "answer")
      default: .ok("\(request.index)", ["Cache-Control": "max-age=60"])
      }
    }
    defer { web.stop() }
    #expect(try await web.get().text == "0")
    #expect(try await web.get("/new").text == "1")
    #expect(try await web.send("POST").text == "answer")
    #expect(try await web.get().text == "4", "the URL has answered with \(redirection), which is no error")
    // A server that has refused the last request has changed nothing.
    #expect(try await web.get("/new").text == (final == 200 ? "5" : "1"))
  }

  @Test("an unsafe request with an unknown result removes the stored responses, and nothing is stored")
  func unknownChange() async throws {
    let web = try Web {
      $0.method == "GET" ? .ok("\($0.index)", ["Cache-Control": "max-age=60"]) : .init(raw: "")
    }
    defer { web.stop() }
    _ = try await web.get()
    #expect(await failure { _ = try await web.send("PUT") } == .backendFailed)
    #expect(try await web.get().text == "2")
  }

  @Test("a redirected response is not stored under the requested URL")
  func redirection() async throws {
    let web = try Web {
      $0.target == "/old"
        ? .status(302, "", ["Location": "/new"]) : .ok("\($0.index)", ["Cache-Control": "max-age=60"])
    }
    defer { web.stop() }
    #expect(try await web.get("/old").text == "1")
    #expect(try await web.get("/old").text == "3")
    #expect(web.store.objects.isEmpty)
  }
}
