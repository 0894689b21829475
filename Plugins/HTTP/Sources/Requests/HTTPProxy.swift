import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A proxy for requests.
///
/// ```swift
/// let storage = URLSessionStorage(proxy: HTTPProxy(host: "proxy.example.com", port: 8080))
/// ```
///
/// On Apple platforms, it applies to HTTP and HTTPS. Name and password are sent when the proxy demands them.
///
/// On Linux, `URLSession` ignores the proxy of a session. A storage with a proxy throws `.proxyUnsupported` there and
/// sends nothing: bypassing the proxy silently would reveal the requests to the network. Instead, set the variables
/// `http_proxy` and `https_proxy` in the environment of the process before it starts (see ``environment``), and use a
/// storage without an `HTTPProxy`. They apply to every session of the process.
public struct HTTPProxy: Hashable, Sendable {
  /// The user name for the proxy; empty for none.
  public let username: String
  /// The password of the user.
  public let password: String
  /// The name or address of the proxy.
  public let host: String
  /// The port of the proxy.
  public let port: Int

  /// Creates a proxy.
  public init(username: String = "", password: String = "", host: String, port: Int) {
    self.username = username
    self.password = password
    self.host = host
    self.port = port
  }

  /// The environment variables that send a process's requests through this proxy on Linux. They contain the password.
  public var environment: [String: String] {
    var parts = URLComponents()
    parts.scheme = "http"
    if !username.isEmpty {
      // `URLComponents` would not encode characters that end a name, such as ":".
      parts.percentEncodedUser = Self.encoded(username)
      parts.percentEncodedPassword = Self.encoded(password)
    }
    parts.host = host
    parts.port = port
    guard let url = parts.string else { return [:] }
    return ["http_proxy": url, "https_proxy": url]
  }

  private static func encoded(_ text: String) -> String? {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
  }
}

extension HTTPProxy: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Host and port, without the password.
  public var description: String { "\(host):\(port)" }
  /// The same as `description`.
  public var debugDescription: String { description }
  /// A mirror without children: `dump` shows no password.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

#if !canImport(FoundationNetworking)
  extension HTTPProxy {
    /// The value of `URLSessionConfiguration.connectionProxyDictionary`.
    var dictionary: [AnyHashable: Any] {
      [
        "HTTPEnable": 1, "HTTPProxy": host, "HTTPPort": port,
        "HTTPSEnable": 1, "HTTPSProxy": host, "HTTPSPort": port,
      ]
    }
  }

  /// Sends name and password to a proxy that demands them, and to no other server.
  final class ProxyLogin: NSObject, URLSessionTaskDelegate {
    private let proxy: HTTPProxy

    init(_ proxy: HTTPProxy) { self.proxy = proxy }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
      guard challenge.protectionSpace.isProxy(), challenge.previousFailureCount == 0, !proxy.username.isEmpty
      else { return (.performDefaultHandling, nil) }
      let login = URLCredential(user: proxy.username, password: proxy.password, persistence: .forSession)
      return (.useCredential, login)
    }
  }
#endif
