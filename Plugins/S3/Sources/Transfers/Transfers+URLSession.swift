#if canImport(Darwin)
  // Where this is type-checked on Linux, `bytes` is declared with Darwin.
  import Darwin
  import Foundation
  import StrataCore

  #if canImport(FoundationNetworking)
    import FoundationNetworking
  #endif

  /// The requests of a client and their responses, through a `URLSession` of its own.
  final class Transfers: Sendable {
    private let session: URLSession

    /// - Parameters:
    ///   - connections: The maximum number of connections.
    ///   - timeout: The time without progress after which a request fails.
    init(connections: Int, timeout: Duration) throws {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.urlCache = nil
      configuration.httpCookieStorage = nil
      configuration.httpShouldSetCookies = false
      configuration.httpMaximumConnectionsPerHost = max(connections, 1)
      configuration.timeoutIntervalForRequest = max((timeout / .seconds(1)).rounded(.up), 1)
      session = URLSession(configuration: configuration)
    }

    deinit { session.finishTasksAndInvalidate() }

    /// Sends a request, and returns the response, whatever its status. The transfer of a body that exceeds the limit
    /// for this status ends at once. Throws an `S3ConnectionError` if no response arrives, and `CancellationError` if
    /// the task is cancelled.
    func receive(
      _ request: WebRequest, limit: @escaping @Sendable (_ status: Int) -> Int
    ) async throws -> WebResponse {
      do { return try await response(to: request, limit: limit) } catch let error as URLError {
        try Task.checkCancellation()
        throw S3ConnectionError(error)
      }
    }

    private func response(
      to request: WebRequest, limit: @Sendable (_ status: Int) -> Int
    ) async throws -> WebResponse {
      guard let url = URL(string: request.url) else { throw URLError(.badURL) }
      var sent = URLRequest(url: url)
      sent.httpMethod = request.method
      sent.allHTTPHeaderFields = Dictionary(
        request.fields.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
      sent.httpBody = request.body
      if let duration = request.duration { sent.timeoutInterval = duration / .seconds(1) }
      let (bytes, answer) = try await session.bytes(
        for: sent, delegate: request.redirections == 0 ? RedirectionStop() : nil)
      guard let http = answer as? HTTPURLResponse else { throw URLError(.badServerResponse) }
      let limit = limit(http.statusCode)
      var data = Data()
      // The responses to `HEAD` and with status 304 state the length of a body that they do not have.
      var isExceeded =
        request.method != "HEAD" && http.statusCode != 304 && http.expectedContentLength > limit
      if !isExceeded {
        for try await byte in bytes {
          isExceeded = data.count == limit
          if isExceeded { break }
          data.append(byte)
        }
      }
      if isExceeded { bytes.task.cancel() }
      var fields: [String: String] = [:]
      for case (let name as String, let value as String) in http.allHeaderFields {
        fields[name.lowercased()] = value
      }
      return WebResponse(status: http.statusCode, fields: fields, data: isExceeded ? nil : data)
    }
  }

  /// Returns redirections instead of following them: a signature is valid for one server.
  private final class RedirectionStop: NSObject, URLSessionTaskDelegate {
    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest
    ) async -> URLRequest? { nil }
  }

  extension S3ConnectionError {
    fileprivate init(_ error: URLError) {
      let (reason, isSent): (Reason, Bool) =
        switch error.code {
        case .timedOut: (.timedOut, true)
        case .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed, .notConnectedToInternet:
          (.unreachable, false)
        case .serverCertificateUntrusted, .secureConnectionFailed: (.untrusted, false)
        case .unsupportedURL, .badURL: (.unsupported, false)
        default: (.lost, true)
        }
      self.init(reason: reason, isSent: isSent, description: error.localizedDescription)
    }
  }
#endif
