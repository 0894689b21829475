import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A proxy that requests go through.
///
/// On Apple platforms, it serves HTTP and HTTPS, and name and password are handed over when the proxy asks for them.
///
/// On Linux, `URLSession` ignores the proxy of a session. A storage with a proxy throws `.proxyUnsupported` there, and
/// sends nothing: to go past a proxy in silence would show to the network what was to be hidden. Set the variables
/// `http_proxy` and `https_proxy` in the environment of the process instead (``environment`` spells them out), before
/// it starts, and use a storage without an `HTTPProxy`: they hold for every session of the process.
public struct HTTPProxy: Hashable, Sendable {
  /// The name to give to the proxy; empty for none.
  public let username: String
  /// The password that goes with the name.
  public let password: String
  /// The name or address of the proxy.
  public let host: String
  /// The port of the proxy.
  public let port: Int

  /// Describes a proxy.
  public init(username: String = "", password: String = "", host: String, port: Int) {
    self.username = username
    self.password = password
    self.host = host
    self.port = port
  }

  /// The variables that, in the environment of a process on Linux, send its requests through this proxy. They hold the
  /// password.
  public var environment: [String: String] {
    var parts = URLComponents()
    parts.scheme = "http"
    if !username.isEmpty {
      // Encoded here and not by URLComponents: that leaves characters as they are that end a name, such as ":".
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
  /// No more than the description, so that `dump` shows no password either.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

#if !canImport(FoundationNetworking)
  extension HTTPProxy {
    /// What `URLSessionConfiguration.connectionProxyDictionary` wants to know.
    var dictionary: [AnyHashable: Any] {
      [
        "HTTPEnable": 1, "HTTPProxy": host, "HTTPPort": port,
        "HTTPSEnable": 1, "HTTPSProxy": host, "HTTPSPort": port,
      ]
    }
  }

  /// Answers a proxy that asks who is there. Nobody else is told.
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
