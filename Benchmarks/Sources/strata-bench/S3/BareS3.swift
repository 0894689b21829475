import BenchHarness
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The store's requests, sent by a plain `URLSession` with the same fields and number of connections. It has no types,
/// retries or limits, and uses a signature computed in advance.
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
  func send(
    _ method: String, _ path: String, _ body: Data? = nil, fields: [String: String] = [:]
  ) async throws -> Data {
    try await answer(method, path, body, fields).body
  }

  /// Sends a request that stores bytes. Returns their entity tag.
  func tag(_ method: String, _ path: String, _ body: Data) async throws -> String {
    let response = try await answer(method, path, body, ["Content-Type": "application/octet-stream"]).response
    guard let tag = response.value(forHTTPHeaderField: "ETag") else { throw Failure("no ETag of \(path)") }
    return tag
  }

  private func answer(
    _ method: String, _ path: String, _ body: Data?, _ fields: [String: String]
  ) async throws -> (body: Data, response: HTTPURLResponse) {
    guard let url = URL(string: base + path) else { throw Failure("no URL: \(path)") }
    var request = URLRequest(url: url)
    request.httpMethod = method
    request.allHTTPHeaderFields = fields
    request.httpBody = body
    let (data, response) = try await session.data(for: request)
    guard let response = response as? HTTPURLResponse, response.statusCode < 300 || response.statusCode == 409
    else { throw Failure("\(method) \(path) returned \(response)") }
    return (data, response)
  }

  /// The header fields that the store also sends. The server does not check signatures, so any signature of the right
  /// length can be sent.
  static func fields(isWrite: Bool) -> [String: String] {
    let names = isWrite ? "content-type;host" : "host;range"
    let hash = String(repeating: "0", count: 64)
    return [
      isWrite ? "Content-Type" : "Range": isWrite ? "application/octet-stream" : "bytes=0-\(512 << 20)",
      "x-amz-date": "20260101T000000Z", "x-amz-content-sha256": hash,
      "Authorization":
        "AWS4-HMAC-SHA256 Credential=id/20260101/us-east-1/s3/aws4_request, "
        + "SignedHeaders=\(names);x-amz-content-sha256;x-amz-date, Signature=\(hash)",
    ]
  }
}
