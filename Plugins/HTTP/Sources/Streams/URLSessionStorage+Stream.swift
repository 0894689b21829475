import Foundation
import StrataCore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension URLSessionStorage: ResponseStreaming {
  /// Sends the request, and returns the response as soon as its header fields have arrived. The body is read as it
  /// arrives. `bodyLimit` does not apply.
  ///
  /// ```swift
  /// let film = try await URLSessionStorage.shared.stream(.url(url))
  /// for try await part in film.body { try send(part) }
  /// ```
  ///
  /// On Linux each request has a connection of its own. Bytes that arrive faster than they are read wait in memory, up
  /// to 1 MiB, and in a temporary file without a name, so that a reader may pause for any time.
  ///
  /// The body throws `.backendFailed` if it ends before its stated length.
  public func stream(_ request: Request) async throws -> StreamedResponse {
    try await asStorageErrors(for: request) {
      let (response, length, next) = try await arriving(request.urlRequest)
      let body = ResponseBody(length: length) { [self] in
        try await asStorageErrors(for: request) { try await next() }
      }
      return StreamedResponse(httpUrlResponse: response, body: body)
    }
  }

  /// Returns a response, the stated length of its body, and a function that returns the parts of the body.
  private func arriving(
    _ request: URLRequest
  ) async throws -> (HTTPURLResponse, Int?, @Sendable () async throws -> Data?) {
    #if canImport(FoundationNetworking)
      let body = ArrivingBody(like: session, ownsSession ? nil : session.delegate)
      let response = try await body.begin(request)
      guard let response = response as? HTTPURLResponse else { throw Self.noHTTP(response) }
      return (response, Self.length(response, request), { try await body.next() })
    #else
      let (bytes, response) = try await session.bytes(for: request)
      guard let response = response as? HTTPURLResponse else { throw Self.noHTTP(response) }
      let parts = ByteParts(bytes)
      return (response, Self.length(response, request), { try await parts.next() })
    #endif
  }

  private static func length(_ response: HTTPURLResponse, _ request: URLRequest) -> Int? {
    if response.hasNoBody { return 0 }
    let coding = response.value(forHTTPHeaderField: "Content-Encoding")?.lowercased()
    guard request.httpMethod ?? "GET" == "GET", ["identity", nil].contains(coding),
      let length = response.value(forHTTPHeaderField: "Content-Length").flatMap({ Int($0) }), length >= 0
    else { return nil }
    return length
  }
}

#if !canImport(FoundationNetworking)
  /// The bytes of a response in parts.
  ///
  /// Unchecked: one task at a time uses the iterator, as `ResponseBody` demands.
  private final class ByteParts: @unchecked Sendable {
    private var bytes: URLSession.AsyncBytes.Iterator

    init(_ bytes: URLSession.AsyncBytes) { self.bytes = bytes.makeAsyncIterator() }

    func next() async throws -> Data? {
      var part = Data()
      while part.count < 256 << 10, let byte = try await bytes.next() { part.append(byte) }
      return part.isEmpty ? nil : part
    }
  }
#endif
