#if canImport(FoundationNetworking)
  import Dispatch
  import Foundation
  import FoundationNetworking
  import StrataCore

  /// The delegate of a storage's own session: collects bodies as they arrive, and discards those that exceed the limit.
  /// It is called on the session's own queue (`InlineQueue`), and so never waits for the session.
  ///
  /// With a completion handler instead of a delegate, the session would collect the whole body itself. It could not be
  /// stopped in time, since it ignores cancellation while it decodes received bytes.
  final class BodyReceiver: NSObject, URLSessionDataDelegate {
    private struct Reception {
      let limit: Int
      let continuation: CheckedContinuation<(Data?, URLResponse), any Error>
      var response: URLResponse?
      var body = ReceivedBytes()
      var isExceeded = false
    }

    private let receptions = Locked<[Int: Reception]>([:])

    /// Returns the response to a request, with `nil` in place of a body that exceeds the limit.
    func receive(
      _ request: URLRequest, through session: URLSession, limit: Int
    ) async throws -> (Data?, URLResponse) {
      let task = try await dataTask(request, of: session)
      return try await Stopping.run { continuation, stopping in
        receptions.withLock {
          $0[task.taskIdentifier] = Reception(limit: limit, continuation: continuation)
        }
        stopping.start(task)
      }
    }

    /// Returns a task. The session copies the body of the request: for large bodies, by one thread for all, since the
    /// heap of each thread that does it keeps the memory of two.
    private func dataTask(_ request: URLRequest, of session: URLSession) async throws -> URLSessionDataTask {
      if request.httpBody?.count ?? 0 < ReceivedBytes.largeLengths.lowerBound {
        return session.dataTask(with: request)
      }
      return try await Self.copier.run { session.dataTask(with: request) }
    }

    private static let copier = BlockingPool(width: 1, limit: 1)

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      let method = dataTask.currentRequest?.httpMethod
      let isExceeded = receptions.withLock { receptions in
        guard var reception = receptions[dataTask.taskIdentifier] else { return false }
        reception.response = response
        reception.isExceeded = URLSessionStorage.states(response, longerThan: reception.limit, method)
        // After a challenge there is a second response with its own body.
        reception.body = ReceivedBytes(expecting: Int(response.expectedContentLength))
        receptions[dataTask.taskIdentifier] = reception
        return reception.isExceeded
      }
      completionHandler(.allow)
      if isExceeded { cancel(dataTask) }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      let isNewlyExceeded = receptions.withLock { receptions in
        guard var reception = receptions.removeValue(forKey: dataTask.taskIdentifier) else { return false }
        defer { receptions[dataTask.taskIdentifier] = reception }
        if reception.isExceeded { return false }
        guard data.count > reception.limit - reception.body.count else {
          data.withUnsafeBytes { reception.body.append($0) }
          return false
        }
        reception.isExceeded = true
        reception.body = ReceivedBytes()
        return true
      }
      if isNewlyExceeded { cancel(dataTask) }
    }

    /// Cancels a task on another thread, since that waits for the session's queue, which calls the delegate on this
    /// thread.
    private func cancel(_ task: URLSessionTask) { DispatchQueue.global().async { task.cancel() } }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      finish(task, error)
    }

    private func finish(_ task: URLSessionTask, _ error: (any Error)?) {
      guard var reception = receptions.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else {
        return
      }
      if reception.isExceeded, let response = reception.response {
        reception.continuation.resume(returning: (nil, response))
      } else if let response = reception.response ?? task.response, error == nil {
        reception.continuation.resume(returning: (reception.body.take(), response))
      } else {
        reception.continuation.resume(throwing: error ?? URLError(.badServerResponse))
      }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      completionHandler(Self.withCookies(request, of: session))
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      // Without credentials the response, which has arrived by now, is the result: the session itself would never end
      // the task. The cancellation runs on another thread, since the session waits for its queue.
      let isAnswered = challenge.proposedCredential != nil
      if !isAnswered { finish(task, nil) }
      DispatchQueue.global().async {
        completionHandler(isAnswered ? .performDefaultHandling : .cancelAuthenticationChallenge, nil)
      }
    }

    /// Asks a session's delegate about a redirection. Without a delegate it is followed, with the session's cookies.
    static func redirect(
      _ task: URLSessionTask, of session: URLSession, after response: HTTPURLResponse, to request: URLRequest,
      asking delegate: (any URLSessionTaskDelegate)?,
      _ completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      guard let delegate else { return completionHandler(withCookies(request, of: session)) }
      delegate.urlSession(
        session, task: task, willPerformHTTPRedirection: response, newRequest: request,
        completionHandler: completionHandler)
    }

    /// Returns the request of a redirection with the session's cookies. Without a delegate, the session adds them
    /// itself.
    static func withCookies(_ request: URLRequest, of session: URLSession) -> URLRequest {
      var request = request
      let configuration = session.configuration
      if configuration.httpShouldSetCookies, let url = request.url,
        let cookies = configuration.httpCookieStorage?.cookies(for: url),
        let field = HTTPCookie.requestHeaderFields(with: cookies)["Cookie"], !field.isEmpty
      {
        request.setValue(field, forHTTPHeaderField: "Cookie")
      }
      return request
    }
  }
#endif
