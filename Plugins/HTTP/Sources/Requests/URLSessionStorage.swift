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
/// **Answers** come as they are, whatever their status: a 404 is a `Response`. `droppingResponse()` is where a status
/// becomes an error. Redirections are followed as the session does.
///
/// **Bodies** are held in memory as a whole, up to `bodyLimit`: a longer one ends the request with `.tooLarge`. The
/// limit counts what a content coding hides too, since a small compressed body may be a very large one.
/// `download(forKey:to:)` writes a body of any length to a file.
///
/// **Failures**: where no whole response came (no connection, a broken one, a timeout), it throws `.backendFailed`,
/// with the URL as `place` and the session's error as `cause`. Nothing is tried again.
///
/// **Cancelling** the task cancels the request, and throws `CancellationError`.
///
/// **Caching** is not its matter: see ``HTTPCache``. A session that has a `URLCache` uses it; the default one here has
/// none.
public final class URLSessionStorage: ReadableStorage {
  /// One storage for all that need nothing special: it neither caches nor writes anything to a disk.
  public static let shared = URLSessionStorage()

  /// The session that sends the requests.
  public let session: URLSession
  /// The most bytes of a body; `nil` for any number.
  public let bodyLimit: Int?
  let ownsSession: Bool
  #if canImport(FoundationNetworking)
    /// The delegate of the own session.
    let receiver = BodyReceiver()
  #endif
  private let proxy: HTTPProxy?

  /// Sends requests through a session that you go on to own.
  public init(session: URLSession, bodyLimit: Int? = defaultBodyLimit) {
    self.session = session
    self.bodyLimit = bodyLimit
    ownsSession = false
    proxy = nil
  }

  /// Sends requests through a session of its own, which ends with it.
  ///
  /// - Parameters:
  ///   - urlSessionConfiguration: Timeouts, header fields for all requests, and more; by default `uncached`.
  ///   - proxy: Where requests go through. Not on Linux: read ``HTTPProxy`` first.
  ///   - bodyLimit: The most bytes of a body; `nil` for any number.
  public init(
    urlSessionConfiguration: URLSessionConfiguration = .uncached, proxy: HTTPProxy? = nil,
    bodyLimit: Int? = defaultBodyLimit
  ) {
    ownsSession = true
    self.bodyLimit = bodyLimit
    self.proxy = proxy
    #if canImport(FoundationNetworking)
      session = URLSession(
        configuration: urlSessionConfiguration, delegate: receiver, delegateQueue: nil)
    #else
      // A copy, since the caller may make another session of his own.
      let configuration =
        urlSessionConfiguration.copy() as? URLSessionConfiguration ?? urlSessionConfiguration
      if let proxy { configuration.connectionProxyDictionary = proxy.dictionary }
      session = URLSession(
        configuration: configuration, delegate: proxy.map(ProxyLogin.init), delegateQueue: nil)
    #endif
  }

  deinit { if ownsSession { session.finishTasksAndInvalidate() } }

  /// Sends the request and waits for the whole response.
  public func retrieve(forKey key: Request) async throws -> Response {
    try await asStorageErrors(for: key) {
      let (data, response) = try await receive(key.urlRequest)
      guard let response = response as? HTTPURLResponse else { throw Self.noHTTP(response) }
      return Response(httpUrlResponse: response, data: data)
    }
  }

  /// Does what sends a request, if it may be sent at all, and tells of failures with the key and the URL.
  func asStorageErrors<R>(for key: Request, _ send: () async throws -> R) async throws -> R {
    guard let url = key.urlRequest.url, ["http", "https"].contains(url.scheme?.lowercased()),
      url.host() != nil
    else {
      throw StorageError.invalidURL.with(key: key)
    }
    #if canImport(FoundationNetworking)
      if let proxy { throw Self.unsupported(proxy).with(key: key, place: url.withoutSecrets) }
    #endif
    // The session would send the request and only then notice.
    try Task.checkCancellation()
    do { return try await send() } catch let error as StorageError {
      throw error.with(key: key, place: error.place ?? url.withoutSecrets)
    } catch {
      try Task.checkCancellation()
      throw StorageError.backendFailed.with(
        "no response came from \(url.host() ?? "the server"): \(error.localizedDescription)", key: key,
        place: url.withoutSecrets, cause: Self.withoutURL(error))
    }
  }

  /// The session's error without the URL as it is, which may hold a password.
  private static func withoutURL(_ error: any Error) -> any Error {
    guard let error = error as? URLError else { return error }
    return URLError(error.code, userInfo: error.userInfo.filter { $0.key == NSLocalizedDescriptionKey })
  }

  #if canImport(FoundationNetworking)
    private static func unsupported(_ proxy: HTTPProxy) -> StorageError {
      .proxyUnsupported.with(
        """
        URLSession ignores the proxy of a session on this platform, so nothing was sent: start the process with \
        http_proxy and https_proxy set to http://\(proxy) and leave the HTTPProxy out
        """)
    }
  #endif
}

extension URLSessionStorage: CustomReflectable {
  /// Nothing: what the session adds to requests may hold credentials.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension URLSessionConfiguration {
  /// `ephemeral`, and without the session's own cache.
  public static var uncached: URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    return configuration
  }
}
