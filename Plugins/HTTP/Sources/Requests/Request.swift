public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// What an HTTP storage is asked for: a URL, to be fetched with `GET`, or a request with everything about it.
///
/// Two requests are equal if a server cannot tell them apart: same URL, method, header fields (names in any case),
/// body, cache policy and handling of cookies. A body stream equals only itself. `URLRequest` itself compares neither
/// header fields nor body: wherever requests are keys, of a memory in front say, let them be of this type.
public enum Request: Sendable {
  /// A plain `GET` of a URL.
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
  /// Whether the two are the same request to a server.
  public static func == (left: Request, right: Request) -> Bool {
    if case .url(let left) = left, case .url(let right) = right { return left == right }
    return RequestIdentity(left.urlRequest) == RequestIdentity(right.urlRequest)
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) { RequestIdentity(urlRequest).hash(into: &hasher) }
}

extension Request: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The method and the URL. Names and passwords in the URL are left out, header fields and the body too, so that
  /// errors can be logged.
  public var description: String { urlRequest.summary }
  /// The same as `description`.
  public var debugDescription: String { description }
  /// No more than the description, so that `dump` shows no secrets either.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension URLRequest {
  var summary: String { "\(httpMethod ?? "GET") \(url?.withoutSecrets ?? "(no URL)")" }
}

extension URL {
  /// The absolute form without a name and a password.
  var withoutSecrets: String {
    guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return "(invalid URL)" }
    parts.user = nil
    parts.password = nil
    return parts.string ?? "(invalid URL)"
  }
}
