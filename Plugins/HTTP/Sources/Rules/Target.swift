import Foundation

/// The URL that a response belongs to: what a cache knows it by.
enum Target {
  /// The absolute form without fragment, name and password, and with scheme and host in small letters; one text for all
  /// ways to write a URL that lead to the same place (RFC 3986, 6.2.3). `nil` if it is none of HTTP.
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

  /// The URL of a field such as `Location`, if it is on the same host as the one it came from: others have no say about
  /// it.
  static func key(ofField field: String?, from url: URL?) -> String? {
    guard let field, let url, let other = URL(string: field, relativeTo: url),
      let here = key(of: URL(string: "/", relativeTo: url)),
      here == key(of: URL(string: "/", relativeTo: other))
    else { return nil }
    return key(of: other)
  }
}
