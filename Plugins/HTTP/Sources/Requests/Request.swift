public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// The key of an HTTP storage: a URL to be fetched with `GET`, or a complete request.
///
/// ```swift
/// var request = URLRequest(url: url)
/// request.setValue("application/json", forHTTPHeaderField: "Accept")
/// let response = try await web.retrieve(forKey: .urlRequest(request))
/// ```
///
/// Two requests are equal if a server cannot distinguish them: same URL, method, header fields (names in any case),
/// body, cache policy and handling of cookies. A body stream equals only itself. `URLRequest` compares neither header
/// fields nor body. Use this type wherever requests are keys, for example of memory in front of a network.
public enum Request: Sendable {
  /// A `GET` request for a URL.
  case url(URL)
  /// A request with its method, its header fields and its body.
  case urlRequest(URLRequest)

  /// The request to send.
  public var urlRequest: URLRequest {
    switch self {
    case .url(let url): URLRequest(url: url)
    case .urlRequest(let request): request
    }
  }
}

extension Request: Hashable {
  /// Whether a server cannot distinguish the two requests.
  public static func == (left: Request, right: Request) -> Bool {
    if case .url(let left) = left, case .url(let right) = right { return left == right }
    return RequestIdentity(left.urlRequest) == RequestIdentity(right.urlRequest)
  }

  /// Hashes properties that `==` compares.
  public func hash(into hasher: inout Hasher) { RequestIdentity(urlRequest).hash(into: &hasher) }
}

extension Request: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The method and the URL. Names and passwords in the URL, header fields and the body are omitted, so that errors can
  /// be logged.
  public var description: String { urlRequest.summary }
  /// The same as `description`.
  public var debugDescription: String { description }
  /// A mirror without children: `dump` shows no secrets.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension URLRequest {
  var summary: String { "\(httpMethod ?? "GET") \(url?.withoutSecrets ?? "(no URL)")" }
}

extension URL {
  /// The absolute URL without a name and a password.
  var withoutSecrets: String {
    guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return "(invalid URL)" }
    parts.user = nil
    parts.password = nil
    return parts.string ?? "(invalid URL)"
  }
}
