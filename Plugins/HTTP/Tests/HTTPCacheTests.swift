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
  @Test("a fresh response comes from the store, with its age; a stale one from the origin")
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

  @Test("what is stored outlives the process: another cache over the same folder serves it")
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
    "what the origin forbids to store, or nothing is known about, is fetched each time",
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

  @Test("a request that must not be stored is not, and another is not answered by it")
  func requestNoStore() async throws {
    let web = try Web { .ok("\($0.index)", ["Cache-Control": "max-age=60"]) }
    defer { web.stop() }
    #expect(try await web.get("/", ["Cache-Control": "no-store"]).text == "0")
    #expect(web.store.objects.isEmpty)
    #expect(try await web.get().text == "1")
  }

  @Test("only-if-cached: what is stored, or not found; the origin hears nothing", arguments: [true, false])
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

  @Test("a session that has a cache of its own does not get between")
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

  @Test("the origin is asked past every other cache")
  func policy() throws {
    let url = try #require(URL(string: "http://example.com"))
    let request = URLRequest(url: url)
    let question = try #require(Question(request, fields: RequestFields(request)))
    #expect(question.forOrigin(validating: nil).cachePolicy == .reloadIgnoringLocalCacheData)
  }

  @Test("a request that ignores what is stored brings it up to date for the others")
  func reload() async throws {
    let web = try Web { .ok("\($0.index)", ["Cache-Control": "max-age=60", "ETag": "1"]) }
    defer { web.stop() }
    _ = try await web.get()
    #expect(try await web.get("/", policy: .reloadIgnoringLocalCacheData).text == "1")
    #expect(web.server.received.last?.fields["if-none-match"] == nil)
    #expect(try await web.get().text == "1")
  }

  @Test("responses to different values of the fields that Vary names stand side by side")
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

  @Test("of very many variants the newest are kept")
  func variantLimit() async throws {
    let web = try Web { .ok("\($0.index)", ["Cache-Control": "max-age=60", "Vary": "X-Kind"]) }
    defer { web.stop() }
    for kind in 0...CacheRecord.limit { _ = try await web.get("/", ["X-Kind": "\(kind)"]) }
    #expect(try await web.get("/", ["X-Kind": "1"]).text == "1")
    #expect(try await web.get("/", ["X-Kind": "0"]).text == "\(CacheRecord.limit + 1)")
  }

  @Test("one user's response is not shown to another, and no credentials are stored")
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

  @Test("methods other than GET, parts and conditions of the caller's own go to the origin as they are")
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
    "an unsafe method that succeeds removes what is stored",
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

  @Test("an unsafe method that the origin refuses changes nothing", arguments: [400, 404, 500])
  func refusedChange(status: Int) async throws {
    let web = try Web {
      $0.method == "GET" ? .ok("\($0.index)", ["Cache-Control": "max-age=60"]) : .status(status)
    }
    defer { web.stop() }
    _ = try await web.get()
    #expect(try await web.send("PUT").status == status)
    #expect(try await web.get().text == "0")
  }

  @Test("after an unsafe request of which nothing is known, nothing is stored either")
  func unknownChange() async throws {
    let web = try Web {
      $0.method == "GET" ? .ok("\($0.index)", ["Cache-Control": "max-age=60"]) : .init(raw: "")
    }
    defer { web.stop() }
    _ = try await web.get()
    #expect(await failure { _ = try await web.send("PUT") } == .backendFailed)
    #expect(try await web.get().text == "2")
  }

  @Test("a response that came by a redirection is not stored under the URL that was asked for")
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
