#if canImport(FoundationNetworking)
  import Dispatch
  import Foundation
  import FoundationNetworking
  import StrataCore

  /// For sessions that are not the storage's own: counts the bytes of a body as they come, their content coding undone,
  /// and ends the request when there are too many.
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
      let before = received.withLock { received in
        defer { received += data.count }
        return received
      }
      // On another thread: cancelling waits for the session, which goes on handing data to this one meanwhile.
      if before <= limit, isExceeded { DispatchQueue.global().async { dataTask.cancel() } }
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
      completionHandler(BodyReceiver.withCookies(request, of: session))
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
