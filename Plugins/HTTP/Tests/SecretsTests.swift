import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// No output, dump or error contains credentials, cookies or a body.
@Suite(.endsInTime)
struct SecretsTests {
  static let secret = "S3CR3T"

  /// Returns all texts that a value can be converted to.
  private func texts(_ value: Any) -> [String] {
    var dumped = ""
    dump(value, to: &dumped)
    return ["\(value)", String(reflecting: value), dumped]
  }

  private func expectNoSecret(_ value: Any, _ location: SourceLocation = #_sourceLocation) {
    for text in texts(value) { #expect(!text.contains(Self.secret), sourceLocation: location) }
  }

  private func secretRequest(_ url: URL) -> Request {
    let fields = ["Authorization": "Bearer \(Self.secret)", "Cookie": Self.secret, "X-Key": Self.secret]
    var secret = request(url, "POST", fields).urlRequest
    secret.httpBody = Data(Self.secret.utf8)
    return .urlRequest(secret)
  }

  @Test("requests, responses and proxies show no secrets")
  func values() throws {
    let url = try #require(URL(string: "http://\(Self.secret):\(Self.secret)@127.0.0.1/a"))
    expectNoSecret(secretRequest(url))
    expectNoSecret([secretRequest(url): 1])
    expectNoSecret(Request.url(url))
    expectNoSecret(RequestIdentity(secretRequest(url).urlRequest))
    let fields = ["Set-Cookie": Self.secret]
    let answer = try #require(
      HTTPURLResponse(url: url, statusCode: 403, httpVersion: nil, headerFields: fields))
    let response = Response(httpUrlResponse: answer, data: Data(Self.secret.utf8))
    expectNoSecret(response)
    expectNoSecret(UnsuccessfulResponse(response: response))
    expectNoSecret(UnstoredResponse(response: response, cause: StorageError.tooLarge))
    expectNoSecret(HTTPProxy(username: Self.secret, password: Self.secret, host: "127.0.0.1", port: 1))
    #expect("\(response)" == "403 from http://127.0.0.1/a, \(Self.secret.utf8.count) bytes")
  }

  @Test("neither a storage whose session adds credentials nor a cache over it shows them")
  func storages() async throws {
    let web = try LocalServer { _ in .ok(Self.secret, ["Cache-Control": "max-age=60", "X-Key": Self.secret]) }
    defer { web.stop() }
    let configuration = URLSessionConfiguration.uncached
    configuration.httpAdditionalHeaders = ["Authorization": Self.secret]
    let storage = URLSessionStorage(urlSessionConfiguration: configuration)
    expectNoSecret(storage)
    let cache = storage.cached(in: DictionaryStorage<String, Data>())
    _ = try await cache.retrieve(forKey: .url(web.url()))
    expectNoSecret(cache)
  }

  @Test("failures of the origin, of the status and of the store show no secrets")
  func errors() async throws {
    let server = try LocalServer { request in
      request.target == "/403" ? .status(403, Self.secret, ["Set-Cookie": Self.secret]) : .init(raw: "")
    }
    defer { server.stop() }
    let network = URLSessionStorage()
    for path in ["/403", "/broken"] {
      let key = secretRequest(try server.url(path))
      let error = await failure { _ = try await network.droppingResponse().retrieve(forKey: key) }
      expectNoSecret(try #require(error))
    }
    let store = DictionaryStorage<String, Data>()
    store.fail(.remove)
    let cache = network.cached(in: store)
    let error = await failure { _ = try await cache.retrieve(forKey: secretRequest(server.url("/broken"))) }
    expectNoSecret(try #require(error))
  }

  @Test("failures reported by a cache show no secrets: a failing origin, and unreadable bytes")
  func troubles() async throws {
    let web = try Web(origin: URLSessionStorage(), staleIfError: 1000) {
      $0.index == 0
        ? .ok(Self.secret, ["Cache-Control": "max-age=60"])
        : .status(500, Self.secret, ["Set-Cookie": Self.secret])
    }
    defer { web.stop() }
    let fields = ["Authorization": Self.secret]
    _ = try await web.get("/", fields)
    web.time.advance(by: 100)
    _ = try await web.get("/", fields)
    struct Other: Codable {
      var version = 1
      var variants = ["S3CR3T"]
    }
    try await web.store.setObject(Transformer.propertyList(Other.self).toData(Other()), forKey: web.key("/2"))
    _ = try await web.get("/2", fields)
    try await web.store.setObject(Data("\(Self.secret) \(Self.secret)".utf8), forKey: web.key("/3"))
    _ = try await web.get("/3", fields)
    #expect(web.troubles.value.count == 3)
    for trouble in web.troubles.value { expectNoSecret(trouble) }
  }
}
