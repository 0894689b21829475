public import StrataCore

#if canImport(FoundationNetworking)
  import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// The network as a read-only storage: the key is a request, the value is the response.
///
/// ```swift
/// let pages = URLSessionStorage.shared.mapURLKeys().mapStringKeys().droppingResponse()
/// let page = try await pages.retrieve(forKey: "https://example.com")
/// ```
///
/// **Responses** are returned whatever their status: a 404 is a `Response`. `droppingResponse()` turns a status into an
/// error. The session follows redirections.
///
/// **Bodies** are held in memory as a whole, up to `bodyLimit`; a longer one ends the request with `.tooLarge`. The
/// limit applies to the decoded body, since a small compressed body may decode to a very large one.
/// `download(forKey:to:)` writes a body of any length to a file.
///
/// **Failures**: if no complete response arrived (no connection, a broken one, a timeout), it throws `.backendFailed`,
/// with the URL as `place` and the session's error as `cause`. It does not retry.
///
/// **Cancelling** the task cancels the request, and throws `CancellationError`.
///
/// **Caching** is left to ``HTTPCache``. A session with a `URLCache` uses it; the default session has none.
public final class URLSessionStorage: ReadableStorage {
  /// A shared storage with the default configuration: it neither caches nor writes to disk.
  public static let shared = URLSessionStorage()

  /// The session that sends the requests.
  public let session: URLSession
  /// The maximum number of bytes of a body; `nil` for no limit.
  public let bodyLimit: Int?
  let ownsSession: Bool
  #if canImport(FoundationNetworking)
    /// The delegate of the storage's own session.
    let receiver: BodyReceiver
  #endif
  private let proxy: HTTPProxy?

  /// Creates a storage that uses a session of the caller, who keeps ownership of it.
  public init(session: URLSession, bodyLimit: Int? = defaultBodyLimit) {
    self.session = session
    self.bodyLimit = bodyLimit
    ownsSession = false
    proxy = nil
    #if canImport(FoundationNetworking)
      receiver = BodyReceiver()
    #endif
  }

  /// Creates a storage with its own session, which ends with the storage.
  ///
  /// - Parameters:
  ///   - urlSessionConfiguration: Timeouts, header fields for all requests, and more; by default `uncached`.
  ///   - proxy: The proxy for requests. Not supported on Linux: see ``HTTPProxy``.
  ///   - bodyLimit: The maximum number of bytes of a body; `nil` for no limit.
  public init(
    urlSessionConfiguration: URLSessionConfiguration = .uncached, proxy: HTTPProxy? = nil,
    bodyLimit: Int? = defaultBodyLimit
  ) {
    ownsSession = true
    self.bodyLimit = bodyLimit
    self.proxy = proxy
    #if canImport(FoundationNetworking)
      receiver = BodyReceiver()
      session = URLSession(
        configuration: urlSessionConfiguration, delegate: receiver, delegateQueue: InlineQueue())
    #else
      // A copy, since the caller may use the configuration for other sessions.
      let configuration =
        urlSessionConfiguration.copy() as? URLSessionConfiguration ?? urlSessionConfiguration
      if let proxy { configuration.connectionProxyDictionary = proxy.dictionary }
      session = URLSession(
        configuration: configuration, delegate: proxy.map(ProxyLogin.init), delegateQueue: nil)
    #endif
  }

  deinit { if ownsSession { session.finishTasksAndInvalidate() } }

  /// Sends the request and waits for the complete response.
  public func retrieve(forKey key: Request) async throws -> Response {
    try await asStorageErrors(for: key) {
      let (data, response) = try await receive(key.urlRequest)
      guard let response = response as? HTTPURLResponse else { throw Self.noHTTP(response) }
      return Response(httpUrlResponse: response, data: data)
    }
  }

  /// Runs `send` if the request is valid, and adds the key and the URL to errors.
  func asStorageErrors<R>(for key: Request, _ send: () async throws -> R) async throws -> R {
    guard let url = key.urlRequest.url, ["http", "https"].contains(url.scheme?.lowercased()),
      url.host() != nil
    else {
      throw StorageError.invalidURL.with(key: key)
    }
    #if canImport(FoundationNetworking)
      if let proxy { throw Self.unsupported(proxy).with(key: key, place: url.withoutSecrets) }
    #endif
    // The session would check for cancellation only after sending the request.
    try Task.checkCancellation()
    do { return try await send() } catch let error as StorageError {
      throw error.with(key: key, place: error.place ?? url.withoutSecrets)
    } catch {
      try Task.checkCancellation()
      throw StorageError.backendFailed.with(
        "no response arrived from \(url.host() ?? "the server"): \(error.localizedDescription)", key: key,
        place: url.withoutSecrets, cause: Self.withoutURL(error))
    }
  }

  /// Returns the session's error without the URL, which may contain a password.
  static func withoutURL(_ error: any Error) -> any Error {
    guard let error = error as? URLError else { return error }
    return URLError(error.code, userInfo: error.userInfo.filter { $0.key == NSLocalizedDescriptionKey })
  }

  #if canImport(FoundationNetworking)
    private static func unsupported(_ proxy: HTTPProxy) -> StorageError {
      .proxyUnsupported.with(
        """
        URLSession ignores the proxy of a session on this platform, so nothing was sent: start the process with \
        http_proxy and https_proxy set to http://\(proxy) and use no HTTPProxy
        """)
    }
  #endif
}

extension URLSessionStorage: CustomReflectable {
  /// A mirror without children: the session's header fields may contain credentials.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension URLSessionConfiguration {
  /// The `ephemeral` configuration without the session's cache.
  public static var uncached: URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    return configuration
  }
}
