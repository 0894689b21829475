#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking
  import StrataCore

  /// Counts the bytes of a body as they come, their content coding undone, and ends the request when there are too many.
  ///
  /// As the delegate of one task it stands in for the session's delegate, and passes on all that is not about the body.
  final class BodyWatch: NSObject, URLSessionDataDelegate {
    private let limit: Int
    private let sessionDelegate: (any URLSessionTaskDelegate)?
    private let received = Locked(0)

    init(limit: Int, sessionDelegate: (any URLSessionDelegate)?) {
      self.limit = limit
      self.sessionDelegate = sessionDelegate as? any URLSessionTaskDelegate
    }

    /// Whether the body was longer than it may be.
    var isExceeded: Bool { received.withLock { $0 > limit } }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      received.withLock { $0 += data.count }
      if isExceeded { dataTask.cancel() }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      if let sessionDelegate {
        return sessionDelegate.urlSession(
          session, task: task, willPerformHTTPRedirection: response, newRequest: request,
          completionHandler: completionHandler)
      }
      // Without a delegate the session would add the cookies itself.
      var request = request
      let configuration = session.configuration
      if configuration.httpShouldSetCookies, let url = request.url,
        let cookies = configuration.httpCookieStorage?.cookies(for: url),
        let field = HTTPCookie.requestHeaderFields(with: cookies)["Cookie"], !field.isEmpty
      {
        request.setValue(field, forHTTPHeaderField: "Cookie")
      }
      completionHandler(request)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      guard let sessionDelegate else { return completionHandler(.performDefaultHandling, nil) }
      sessionDelegate.urlSession(
        session, task: task, didReceive: challenge, completionHandler: completionHandler)
    }
  }
#endif
