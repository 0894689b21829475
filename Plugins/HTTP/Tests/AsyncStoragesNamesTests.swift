import Foundation
import StrataCore
import StrataHTTP
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Code of programs that were written for AsyncStorages.
@Suite(.timeLimit(.minutes(10)))
struct AsyncStoragesNamesTests {
  @Test("URLs and requests are keys without an adapter, for the network and for stores in front of it")
  func keys() async throws {
    let server = try LocalServer { .ok("\($0.method) \($0.target)") }
    defer { server.stop() }
    let url = try server.url("/x")
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    for network in [URLSessionStorage.shared, URLSessionStorage(urlSessionConfiguration: .ephemeral)] {
      let response: URLSessionStorage.Response = try await network.retrieve(forKey: url)
      #expect(response.text == "GET /x" && response.httpUrlResponse.statusCode == 200)
      #expect(try await network.retrieve(forKey: request).text == "POST /x")
      let key: URLSessionStorage.Request = .urlRequest(request)
      #expect(try await network.droppingResponse().retrieve(forKey: key) == Data("POST /x".utf8))
      #expect(try await network.droppingResponse().retrieve(forKey: url) == Data("GET /x".utf8))
    }
  }
}
