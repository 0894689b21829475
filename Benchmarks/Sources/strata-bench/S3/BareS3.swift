import BenchHarness
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The same requests by `URLSession` alone: no signature, no retries, no types.
struct BareS3: Sendable {
  private let session: URLSession
  private let base: String

  init(port: Int, connections: Int) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.httpMaximumConnectionsPerHost = connections
    session = URLSession(configuration: configuration)
    base = "http://127.0.0.1:\(port)/\(LocalS3.bucket)"
  }

  /// Sends a request. Returns the body of a successful response.
  func send(_ method: String, _ path: String, _ body: Data? = nil) async throws -> Data {
    guard let url = URL(string: base + path) else { throw Failure("no URL: \(path)") }
    var request = URLRequest(url: url)
    request.httpMethod = method
    request.httpBody = body
    let (data, response) = try await session.data(for: request)
    guard let status = (response as? HTTPURLResponse)?.statusCode, status < 300 || status == 409 else {
      throw Failure("\(method) \(path) gives \(response)")
    }
    return data
  }
}
