public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// What an HTTP storage is asked for: a URL, to be fetched with `GET`, or a request with everything about it.
public enum Request: Hashable, Sendable {
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

extension Request: CustomStringConvertible, CustomDebugStringConvertible {
  /// The method and the URL. Names and passwords in the URL are left out, header fields and the body too, so that
  /// errors can be logged.
  public var description: String { urlRequest.summary }
  /// The same as `description`.
  public var debugDescription: String { description }
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
