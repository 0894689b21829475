import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite(.endsInTime)
struct HTTPProxyTests {
  @Test("the environment of a proxy contains its name and password, with all characters encoded")
  func environment() {
    let proxy = HTTPProxy(username: "me@home", password: "a:b/c ü", host: "127.0.0.1", port: 8080)
    let url = "http://me%40home:a%3Ab%2Fc%20%C3%BC@127.0.0.1:8080"
    #expect(proxy.environment == ["http_proxy": url, "https_proxy": url])
    #expect(HTTPProxy(host: "proxy", port: 1).environment["http_proxy"] == "http://proxy:1")
    #expect("\(proxy)" == "127.0.0.1:8080")
  }

  #if canImport(FoundationNetworking)
    @Test("on a platform whose sessions cannot use a proxy, nothing is sent")
    func refusal() async throws {
      let server = try LocalServer { _ in .ok("") }
      defer { server.stop() }
      let proxy = HTTPProxy(username: "user", password: "pass", host: "127.0.0.1", port: server.port)
      let storage = URLSessionStorage(urlSessionConfiguration: .ephemeral, proxy: proxy)
      let error = await failure { _ = try await storage.retrieve(forKey: .url(server.url())) }
      #expect(error == .proxyUnsupported)
      #expect(error?.message.contains("http_proxy") == true)
      #expect(error?.description.contains("pass\"") == false)
      #expect(server.received.isEmpty)
    }

    @Test("a proxy set in the environment receives requests, with name and password")
    func proxyOfTheEnvironment() async {
      // In a separate process, since the environment applies to all sessions of a process.
      await #expect(processExitsWith: .success) {
        let server = try LocalServer { _ in .ok("from the proxy") }
        defer { server.stop() }
        let proxy = HTTPProxy(username: "user", password: "a:b", host: "127.0.0.1", port: server.port)
        for (name, value) in proxy.environment { setenv(name, value, 1) }
        let url = try #require(URL(string: "http://nowhere.invalid/page"))
        let response = try await URLSessionStorage().retrieve(forKey: .url(url))
        #expect(response.text == "from the proxy")
        let received = try #require(server.received.first)
        #expect(received.target == "http://nowhere.invalid/page")
        let login = Data("user:a:b".utf8).base64EncodedString()
        #expect(received.fields["proxy-authorization"] == "Basic \(login)")
      }
    }
  #endif
}
