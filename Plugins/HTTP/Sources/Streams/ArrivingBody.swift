#if canImport(FoundationNetworking)
  import Dispatch
  import Foundation
  import FoundationNetworking
  import StrataCore

  /// A body that is handed out while it arrives, by a session of its own.
  ///
  /// On Linux a session cannot pause the transfer of a task: a suspended one begins again. While the reader is behind,
  /// the delegate blocks the session's queue, so that the session reads no more from the connection. Other requests are
  /// not affected, since they have other sessions.
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
      receiver.stop()
      // On a thread that does not wait for the session's queue.
      DispatchQueue.global().async { [session] in session.invalidateAndCancel() }
    }

    /// Sends the request, and waits for the header fields.
    func begin(_ request: URLRequest) async throws -> URLResponse {
      let task = session.dataTask(with: request)
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          receiver.begin(continuation)
          task.resume()
        }
      } onCancel: {
        stop(task)
      }
    }

    /// Returns the bytes that have arrived, or `nil` after the last ones.
    func next() async throws -> Data? {
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { receiver.next($0) }
      } onCancel: {
        stop(nil)
      }
    }

    private func stop(_ task: URLSessionTask?) {
      receiver.stop()
      DispatchQueue.global().async { task?.cancel() }
    }
  }

  /// Keeps the bytes that have arrived until they are read.
  private final class Receiver: NSObject, URLSessionDataDelegate {
    /// The number of bytes from which the session's queue is blocked, and the number of bytes of a part.
    private static let limit = 2 << 20
    private static let partSize = 1 << 20

    private struct State {
      var head: CheckedContinuation<URLResponse, any Error>?
      var reader: CheckedContinuation<Data?, any Error>?
      var arrived = Data()
      /// `nil` while bytes may arrive.
      var end: Result<Void, any Error>?
      var isBlocked = false
      var isStopped = false

      /// Returns what the reader gets, or `nil` if it has to wait.
      mutating func part() -> Result<Data?, any Error>? {
        if !arrived.isEmpty {
          defer { arrived = Data() }
          return .success(arrived)
        }
        return end.map { end in end.map { nil } }
      }
    }

    private let state = Locked(State())
    private let room = DispatchSemaphore(value: 0)
    private let sessionDelegate: (any URLSessionTaskDelegate)?

    init(_ delegate: (any URLSessionDelegate)?) { sessionDelegate = delegate as? any URLSessionTaskDelegate }

    func begin(_ continuation: CheckedContinuation<URLResponse, any Error>) {
      let isStopped = state.withLock { state in
        if !state.isStopped { state.head = continuation }
        return state.isStopped
      }
      if isStopped { continuation.resume(throwing: CancellationError()) }
    }

    func next(_ continuation: CheckedContinuation<Data?, any Error>) {
      let part = state.withLock { state -> Result<Data?, any Error>? in
        if state.isStopped { return .failure(CancellationError()) }
        let part = state.part()
        if part == nil { state.reader = continuation }
        if state.isBlocked { room.signal() }
        state.isBlocked = false
        return part
      }
      if let part { continuation.resume(with: part) }
    }

    /// Ends all waits. Bytes that arrive later are discarded.
    func stop() {
      let (head, reader) = state.withLock { state in
        defer {
          state.isStopped = true
          state.arrived = Data()
          (state.head, state.reader, state.isBlocked) = (nil, nil, false)
        }
        if state.isBlocked { room.signal() }
        return (state.head, state.reader)
      }
      head?.resume(throwing: CancellationError())
      reader?.resume(throwing: CancellationError())
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      let head = state.withLock { state in
        defer { state.head = nil }
        return state.head
      }
      completionHandler(.allow)
      head?.resume(returning: response)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      let (waits, reader) = state.withLock { state in
        if state.isStopped { return (false, CheckedContinuation<Data?, any Error>?.none) }
        if let reader = state.reader {
          state.reader = nil
          return (false, reader)
        }
        if state.arrived.isEmpty { state.arrived.reserveCapacity(Self.limit + data.count) }
        state.arrived.append(data)
        state.isBlocked = state.arrived.count >= Self.limit
        return (state.isBlocked, nil)
      }
      reader?.resume(returning: data)
      if waits { room.wait() }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      let (head, reader, part) = state.withLock { state in
        state.end = error.map { .failure($0) } ?? .success(())
        defer { (state.head, state.reader) = (nil, nil) }
        return (state.head, state.reader, state.reader == nil ? nil : state.part())
      }
      head?.resume(throwing: error ?? URLError(.badServerResponse))
      if let part { reader?.resume(with: part) }
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
