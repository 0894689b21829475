#if canImport(FoundationNetworking)
  import Dispatch
  import Foundation
  import FoundationNetworking
  import StrataCore

  /// For sessions of the caller: counts the decoded bytes of a body as they arrive, and ends the request when the limit
  /// is exceeded.
  ///
  /// It is the delegate of one task, and forwards everything but the body to the session's delegate.
  final class BodyWatch: NSObject, URLSessionDataDelegate {
    private let limit: Int
    private let sessionDelegate: (any URLSessionTaskDelegate)?
    private let received = Locked(0)

    init(limit: Int, sessionDelegate: (any URLSessionDelegate)?) {
      self.limit = limit
      self.sessionDelegate = sessionDelegate as? any URLSessionTaskDelegate
    }

    /// Whether the body exceeded the limit.
    var isExceeded: Bool { received.withLock { $0 > limit } }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      let before = received.withLock { received in
        defer { received += data.count }
        return received
      }
      // The cancellation runs on another thread, since it waits for the session, which is delivering data on this
      // thread.
      if before <= limit, isExceeded { DispatchQueue.global().async { dataTask.cancel() } }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      BodyReceiver.redirect(
        task, of: session, after: response, to: request, asking: sessionDelegate, completionHandler)
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
