#if !canImport(Darwin)
  import CCurl
  import Glibc
  import StrataCore

  /// The requests of a client and their responses, through libcurl, which keeps connections for further requests.
  ///
  /// One thread serves all transfers, and ends its work when there are none. It alone uses libcurl's handles.
  ///
  /// A proxy is taken from `http_proxy`, `https_proxy` and `no_proxy` in the environment, as libcurl does.
  final class Transfers: Sendable {
    private struct State {
      var lastID = 0
      var begun: [Exchange] = []
      var cancelled: [Int] = []
      var isRunning = false
    }

    /// A file with trusted certificates, in place of the system's.
    private static let certificates = getenv("SSL_CERT_FILE").map { String(cString: $0) }
    private static let library = curl_global_init(Int(CURL_GLOBAL_DEFAULT))

    private let state = Locked(State())
    private let thread = BlockingPool(width: 1, limit: 1)
    private let timeout: Duration
    private let certificates: String?
    /// Unsafe: a pointer. While there are transfers, only the thread uses it, except to wake that thread, which libcurl
    /// allows any thread. `deinit` runs when there are none: the thread's job owns this object.
    nonisolated(unsafe) private let handle: UnsafeMutableRawPointer

    /// - Parameters:
    ///   - connections: The number of connections that are kept.
    ///   - timeout: The time without progress after which a request fails.
    init(connections: Int, timeout: Duration, certificates: String? = Transfers.certificates) throws {
      guard Self.library == CURLE_OK, let handle = curl_multi_init() else {
        throw StorageError.backendFailed.with("libcurl cannot be started: the system may be out of memory")
      }
      self.handle = handle
      self.timeout = timeout
      self.certificates = certificates
      _ = strata_curl_set_limit(handle, CURLMOPT_MAXCONNECTS, max(connections, 1))
    }

    deinit { curl_multi_cleanup(handle) }

    /// Sends a request, and returns the response, whatever its status. The transfer of a body that exceeds the limit
    /// for this status ends at once. Throws an `S3ConnectionError` if no response arrives, and `CancellationError` at
    /// once if the task is cancelled.
    func receive(
      _ request: WebRequest, limit: @escaping @Sendable (_ status: Int) -> Int
    ) async throws -> WebResponse {
      let id = state.withLock { state in
        state.lastID += 1
        return state.lastID
      }
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          begin(Exchange(id: id, request: request, limit: limit, continuation: continuation))
          // If the task was cancelled before, the cancellation handler has found no transfer.
          if Task.isCancelled { cancel(id) }
        }
      } onCancel: {
        cancel(id)
      }
    }

    private func begin(_ exchange: Exchange) {
      let isRunning = state.withLock { state in
        state.begun.append(exchange)
        defer { state.isRunning = true }
        return state.isRunning
      }
      if isRunning { curl_multi_wakeup(handle) } else { thread.submit { self.run() } }
    }

    private func cancel(_ id: Int) {
      let isRunning = state.withLock { state in
        if state.isRunning { state.cancelled.append(id) }
        return state.isRunning
      }
      if isRunning { curl_multi_wakeup(handle) }
    }

    /// Serves all transfers until there are none.
    private func run() {
      blockBrokenPipes()
      var transfers: [Int: Transfer] = [:]
      while let news = news(isIdle: transfers.isEmpty) {
        for exchange in news.begun { add(exchange, to: &transfers) }
        for id in news.cancelled {
          guard let transfer = transfers.removeValue(forKey: id) else { continue }
          curl_multi_remove_handle(handle, transfer.handle)
          transfer.exchange.continuation.resume(throwing: CancellationError())
        }
        var running: CInt = 0
        curl_multi_perform(handle, &running)
        finish(&transfers)
        if !transfers.isEmpty { curl_multi_poll(handle, nil, 0, 60_000, nil) }
      }
    }

    /// Returns what has been begun and cancelled since the last call; `nil` if there is nothing left to do.
    private func news(isIdle: Bool) -> (begun: [Exchange], cancelled: [Int])? {
      state.withLock { state in
        defer { (state.begun, state.cancelled) = ([], []) }
        state.isRunning = !isIdle || !state.begun.isEmpty
        return state.isRunning ? (state.begun, state.cancelled) : nil
      }
    }

    private func add(_ exchange: Exchange, to transfers: inout [Int: Transfer]) {
      guard let transfer = Transfer(exchange, timeout: timeout, certificates: certificates),
        curl_multi_add_handle(handle, transfer.handle) == CURLM_OK
      else {
        return exchange.continuation.resume(
          throwing: S3ConnectionError(
            reason: .unsupported, isSent: false, description: "libcurl does not accept the request"))
      }
      transfers[exchange.id] = transfer
    }

    /// Returns the responses that have arrived.
    private func finish(_ transfers: inout [Int: Transfer]) {
      var left: CInt = 0
      while let message = curl_multi_info_read(handle, &left) {
        let (ended, code) = (message.pointee.easy_handle, message.pointee.data.result)
        guard message.pointee.msg == CURLMSG_DONE,
          let transfer = transfers.first(where: { $0.value.handle == ended })?.value
        else { continue }
        transfers[transfer.exchange.id] = nil
        curl_multi_remove_handle(handle, transfer.handle)
        transfer.exchange.continuation.resume(with: transfer.result(code))
      }
    }

    /// Blocks the signal that this thread would get for a write to a connection that the server has closed: by default
    /// it ends the process.
    private func blockBrokenPipes() {
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGPIPE)
      pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
  }

  /// A request and the task that waits for its response.
  struct Exchange: Sendable {
    let id: Int
    let request: WebRequest
    let limit: @Sendable (_ status: Int) -> Int
    let continuation: CheckedContinuation<WebResponse, any Error>
  }
#endif
