import Foundation

/// The normalized URL of a response, which is its key in the store.
enum Target {
  /// Returns the absolute URL without fragment, name and password, with scheme and host in lowercase. Equivalent URLs
  /// have one key (RFC 3986, 6.2.3). Returns `nil` if `url` is not an HTTP URL.
  static func key(of url: URL?) -> String? {
    guard let url, var parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
      let scheme = parts.scheme?.lowercased(), scheme == "http" || scheme == "https",
      let host = parts.host, !host.isEmpty
    else { return nil }
    parts.scheme = scheme
    parts.host = host.lowercased()
    if parts.port == (scheme == "http" ? 80 : 443) { parts.port = nil }
    if parts.path.isEmpty { parts.path = "/" }
    parts.fragment = nil
    parts.user = nil
    parts.password = nil
    return parts.string
  }

  /// Returns the key of the URL in a field such as `Location`, if it has the same scheme, host and port as `url`. A
  /// server must not invalidate responses of other servers.
  static func key(ofField field: String?, from url: URL?) -> String? {
    guard let field, let url, let other = URL(string: field, relativeTo: url),
      let here = key(of: URL(string: "/", relativeTo: url)),
      here == key(of: URL(string: "/", relativeTo: other))
    else { return nil }
    return key(of: other)
  }
}
