import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite(.endsInTime)
struct RequestKeysTests {
  @Test("keys can be URLs, requests or texts, and values can be bodies alone")
  func adapters() async throws {
    let server = try LocalServer { .ok("body of \($0.target)") }
    defer { server.stop() }
    let url = try server.url("/x")
    let network = URLSessionStorage.shared
    #expect(try await network.mapURLKeys().retrieve(forKey: url).text == "body of /x")
    #expect(try await network.mapURLRequestKeys().retrieve(forKey: URLRequest(url: url)).text == "body of /x")
    let bytes = network.mapURLKeys().mapStringKeys().droppingResponse()
    #expect(try await bytes.retrieve(forKey: url.absoluteString) == Data("body of /x".utf8))
  }

  @Test(
    "a text that is not a URL throws an error that contains it", arguments: ["", "http://[", "http://a b/"])
  func noURL(text: String) async throws {
    let bytes = URLSessionStorage.shared.mapURLKeys().mapStringKeys()
    let error = await failure { _ = try await bytes.retrieve(forKey: text) }
    #expect(error == .invalidURL)
  }

  @Test("a success returns the body, even an empty one", arguments: [200, 201, 203, 204, 299])
  func success(status: Int) async throws {
    let server = try LocalServer { _ in .status(status) }
    defer { server.stop() }
    let bytes = URLSessionStorage.shared.mapURLKeys().droppingResponse()
    #expect(try await bytes.retrieve(forKey: server.url()).isEmpty)
  }

  @Test(
    "404 and 410 throw notFound, other statuses httpStatus", arguments: [404, 410],
    [400, 401, 403, 429, 500, 503])
  func failures(absent: Int, failed: Int) async throws {
    let server = try LocalServer { .status($0.target == "/absent" ? absent : failed, "why") }
    defer { server.stop() }
    let bytes = URLSessionStorage.shared.mapURLKeys().droppingResponse()
    for (path, status, expected) in [
      ("/absent", absent, StorageError.notFound), ("/failed", failed, .httpStatus),
    ] {
      let error = await failure { _ = try await bytes.retrieve(forKey: server.url(path)) }
      #expect(error == expected)
      #expect(error?.message.contains("\(status)") == true)
      #expect(error?.place == (try server.url(path).absoluteString))
      #expect((error?.cause as? UnsuccessfulResponse)?.response.text == "why")
    }
  }

  @Test("a request's description contains no secrets")
  func description() throws {
    let url = try #require(URL(string: "https://me:secret@example.com/a"))
    let secret = request(url, "PUT", ["Authorization": "Bearer secret"])
    #expect(secret.description == "PUT https://example.com/a")
    #expect(String(reflecting: secret) == secret.description)
  }
}
