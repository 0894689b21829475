#if canImport(FoundationNetworking)
  import Dispatch
  import Foundation
  import FoundationNetworking
  import StrataCore

  /// The delegate of a storage's own session: collects bodies as they come, and lets go of those that become too long.
  ///
  /// With a completion handler in place of a delegate, the session would collect the whole body itself, and could not
  /// be stopped in time: while it decodes what has come, it hears of no cancellation.
  final class BodyReceiver: NSObject, URLSessionDataDelegate {
    private struct Reception {
      let limit: Int
      let continuation: CheckedContinuation<(Data, URLResponse), any Error>
      var response: URLResponse?
      var data = Data()
      var isExceeded = false
    }

    private let receptions = Locked<[Int: Reception]>([:])

    /// The whole response to a request; throws `.tooLarge` if its body is longer than the limit.
    func receive(
      _ request: URLRequest, through session: URLSession, limit: Int
    ) async throws -> (Data, URLResponse) {
      let task = session.dataTask(with: request)
      let isStarted = Locked(false)
      let isCancelled = Locked(false)
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          receptions.withLock {
            $0[task.taskIdentifier] = Reception(limit: limit, continuation: continuation)
          }
          task.resume()
          // A task that was cancelled before it was resumed would never end.
          isStarted.withLock { $0 = true }
          if isCancelled.withLock({ $0 }) { task.cancel() }
        }
      } onCancel: {
        isCancelled.withLock { $0 = true }
        if isStarted.withLock({ $0 }) { task.cancel() }
      }
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      receptions.withLock {
        $0[dataTask.taskIdentifier]?.response = response
        // After a challenge there is a second response, with a body of its own.
        $0[dataTask.taskIdentifier]?.data = Data()
      }
      completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      let isNewlyExceeded = receptions.withLock { receptions in
        guard var reception = receptions.removeValue(forKey: dataTask.taskIdentifier) else { return false }
        defer { receptions[dataTask.taskIdentifier] = reception }
        if reception.isExceeded { return false }
        guard reception.data.count + data.count > reception.limit else {
          reception.data.append(data)
          return false
        }
        reception.isExceeded = true
        reception.data = Data()
        return true
      }
      // On another thread: cancelling waits for the session, which goes on handing data to this one meanwhile.
      if isNewlyExceeded { DispatchQueue.global().async { dataTask.cancel() } }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      guard let reception = receptions.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else {
        return
      }
      if reception.isExceeded {
        reception.continuation.resume(throwing: URLSessionStorage.tooLarge(reception.limit))
      } else if let response = reception.response ?? task.response, error == nil {
        reception.continuation.resume(returning: (reception.data, response))
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

    /// A request that a redirection leads to, with the session's cookies: without a delegate, the session adds them
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
