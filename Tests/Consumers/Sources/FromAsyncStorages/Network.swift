import Foundation
import Strata
import StrataHTTP

// The samples of AsyncStorages' README that speak with a server. They are built; the tests of StrataHTTP run their like
// with a server of their own.

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

func proxied() -> URLSessionStorage {
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
  return network
}
