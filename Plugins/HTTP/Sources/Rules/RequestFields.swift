import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The header fields of a request as the origin will receive them, including those that the URL and the session add.
struct RequestFields: Equatable, Sendable {
  /// The request's fields, those that a session adds to all of its requests, and the cookies of its cookie storage.
  private(set) var known: HeaderFields
  /// Whether `known` includes all cookies that will be sent. `false` if the session is unknown, since it may add
  /// others.
  let cookiesAreKnown: Bool
  /// Whether the cookies of a request identify its user, if a response is `private`.
  let cookiesAreUsers: Bool
  /// Whether the cache answers the requests of many users, as they were received.
  let isShared: Bool
  /// The name and password in the URL.
  let login: [String?]

  /// Collects the fields of a request that is sent through `sessions`. Pass none if the sessions are not known.
  init(
    _ request: URLRequest, through sessions: [URLSession] = [], cookiesAreUsers: Bool = true,
    isShared: Bool = false
  ) {
    known = HeaderFields(request.allHTTPHeaderFields ?? [:])
    self.cookiesAreUsers = cookiesAreUsers
    login = [request.url?.user(), request.url?.password()]
    self.isShared = isShared
    cookiesAreKnown = isShared || !sessions.isEmpty
    var added: [String: String] = [:]
    for configuration in sessions.map(\.configuration) {
      for case (let name as String, let value) in configuration.httpAdditionalHeaders ?? [:]
      where known[name] == nil { added.join("\(value)", to: name.lowercased(), with: ", ") }
      guard let cookies = Self.cookies(for: request, configuration) else { continue }
      // The platform decides which of the two is sent if the request has its own. Joined, they distinguish any two
      // requests.
      if let own = known["Cookie"], added["cookie"] == nil { added["cookie"] = own }
      added.join(cookies, to: "cookie", with: "; ")
    }
    for (name, value) in added { known[name] = value }
  }

  subscript(name: String) -> String? { known[name] }

  /// Whether the request has no credentials and no cookies.
  var isAnonymous: Bool {
    known["Authorization"] == nil && known["Cookie"] == nil && login.allSatisfy { $0 == nil }
  }

  /// Returns the value of a field named by `Vary`. For a field that is not set, it returns the platform's default, if
  /// processes that share a store may have different defaults. The fields of a received request have no defaults.
  func value(varyingBy name: String) -> String? {
    if let value = known[name] { return value }
    if isShared { return nil }
    switch name {
    case "accept-language":
      return ([Locale.current.identifier] + Locale.preferredLanguages).joined(separator: ",")
    case "user-agent": return ProcessInfo.processInfo.processName
    default: return nil
    }
  }

  /// Returns the cookies that a session will add, or `nil`. They are sorted, since their order may change.
  private static func cookies(for request: URLRequest, _ configuration: URLSessionConfiguration) -> String? {
    guard configuration.httpShouldSetCookies, let storage = configuration.httpCookieStorage,
      let url = request.url, let cookies = storage.cookies(for: url), !cookies.isEmpty
    else { return nil }
    return cookies.map { "\($0.name)=\($0.value)" }.sorted().joined(separator: "; ")
  }
}

extension [String: String] {
  fileprivate mutating func join(_ value: String, to name: String, with separator: String) {
    self[name] = self[name].map { $0 + separator + value } ?? value
  }
}
