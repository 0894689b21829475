import Foundation
import Strata
import StrataHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// The samples of AsyncStorages' README that use a server. Where they run, requests cannot leave the machine; the tests
// of StrataHTTP run similar code with their own server.

func network() async throws {
  let network = URLSessionStorage.shared
  // swift-format-ignore: NeverForceUnwrap
  let response = try await network.retrieve(forKey: URL(string: "https://example.com")!)
  print(response.httpUrlResponse.statusCode)
  print(response.data)
}

func bytesOfThePage() async throws {
  let bytes = URLSessionStorage.shared
    .mapURLKeys()
    .mapStringKeys()
    .droppingResponse()

  let data = try await bytes.retrieve(forKey: "https://example.com")
  print(data)
}

/// The results of the samples above without a network.
func unreachable() async throws {
  for sample in [network, bytesOfThePage] as [@Sendable () async throws -> Void] {
    do {
      try await sample()
      expect(false, "no request gets out")
    } catch let error as StorageError {
      expect(error == .backendFailed, "a network that is not there has failed, and has not an empty answer")
      expect(error.place == "https://example.com", "the error says where: \(error)")
    }
  }
}

func proxied() async throws {
  let proxy = HTTPProxy(
    username: "user",
    password: "pass",
    host: "127.0.0.1",
    port: 8080
  )

  let network = URLSessionStorage(
    urlSessionConfiguration: .ephemeral,
    proxy: proxy
  )

  #if canImport(FoundationNetworking)
    // There the environment names the proxy, as it does for the samples above.
    do {
      _ = try await network.mapURLKeys().mapStringKeys().retrieve(forKey: "https://example.com")
      expect(false, "no request goes past a proxy")
    } catch let error as StorageError {
      expect("\(error)".contains("https_proxy"), "the error says what to do: \(error)")
    }
    expect(
      proxy.environment["https_proxy"] == "http://user:pass@127.0.0.1:8080", "and the proxy spells it out")
  #else
    expect(network.session.configuration.connectionProxyDictionary != nil, "the session has the proxy")
  #endif
}
