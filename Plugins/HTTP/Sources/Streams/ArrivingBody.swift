#if canImport(FoundationNetworking)
  import Dispatch
  import Foundation
  import FoundationNetworking
  import StrataCore

  /// A body that is handed out while it arrives, by a session of its own.
  ///
  /// On Linux the transfer of a task cannot be paused: a suspended task begins again, and a delegate that blocks would
  /// block the queue that all sessions of the process share. The bytes that a slow reader has not read wait in a file.
  final class ArrivingBody: Sendable {
    private let session: URLSession
    private let receiver: Receiver

    /// - Parameters:
    ///   - other: the session whose configuration applies.
    ///   - delegate: the delegate that decides about redirections and credentials, or `nil`.
    init(like other: URLSession, _ delegate: (any URLSessionDelegate)?) {
      receiver = Receiver(delegate)
      session = URLSession(
        configuration: other.configuration, delegate: receiver, delegateQueue: InlineQueue())
    }

    deinit {
      // On another thread, since this one may be the session's.
      DispatchQueue.global().async { [session] in session.invalidateAndCancel() }
    }

    /// Sends the request, and waits for the header fields.
    func begin(_ request: URLRequest) async throws -> URLResponse {
      try await Stopping.run { continuation, stopping in
        receiver.begin(continuation)
        stopping.start(session.dataTask(with: request))
      }
    }

    /// Returns the bytes that have arrived, or `nil` after the last ones.
    func next() async throws -> Data? {
      try await withTaskCancellationHandler {
        try await receiver.backlog.next()
      } onCancel: {
        // The body is read once, so nobody reads the rest.
        receiver.backlog.end(.failure(CancellationError()))
      }
    }
  }

  /// The delegate of the session.
  private final class Receiver: NSObject, URLSessionDataDelegate {
    let backlog = Backlog()
    private let head = Locked<CheckedContinuation<URLResponse, any Error>?>(nil)
    private let sessionDelegate: (any URLSessionTaskDelegate)?

    init(_ delegate: (any URLSessionDelegate)?) { sessionDelegate = delegate as? any URLSessionTaskDelegate }

    func begin(_ continuation: CheckedContinuation<URLResponse, any Error>) {
      head.withLock { $0 = continuation }
    }

    private func takeHead() -> CheckedContinuation<URLResponse, any Error>? {
      head.withLock { head in
        defer { head = nil }
        return head
      }
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      completionHandler(.allow)
      takeHead()?.resume(returning: response)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      do { try backlog.add(data) } catch {
        backlog.end(.failure(error))
        DispatchQueue.global().async { dataTask.cancel() }
      }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      backlog.end(error.map { .failure($0) } ?? .success(()))
      takeHead()?.resume(throwing: error ?? URLError(.badServerResponse))
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
      if let sessionDelegate {
        return sessionDelegate.urlSession(
          session, task: task, didReceive: challenge, completionHandler: completionHandler)
      }
      DispatchQueue.global().async {
        completionHandler(
          challenge.proposedCredential == nil ? .cancelAuthenticationChallenge : .performDefaultHandling, nil)
      }
    }
  }
#endif
