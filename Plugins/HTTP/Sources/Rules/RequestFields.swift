import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The header fields of a request as its origin will see them, with what the URL and the session add.
struct RequestFields: Equatable, Sendable {
  /// The request's fields, those that a session adds to all of its requests, and the cookies of its cookie storage.
  private(set) var known: HeaderFields
  /// Whether the cookies that will be sent are among them: nobody below adds others out of sight.
  let cookiesAreKnown: Bool
  /// Whether cookies tell users apart where a response is `private`.
  let cookiesAreUsers: Bool
  /// Name and password in the URL.
  let login: [String?]

  /// The fields of a request that goes through some sessions; none if what is below is not known.
  init(_ request: URLRequest, through sessions: [URLSession] = [], cookiesAreUsers: Bool = true) {
    known = HeaderFields(request.allHTTPHeaderFields ?? [:])
    self.cookiesAreUsers = cookiesAreUsers
    login = [request.url?.user(), request.url?.password()]
    cookiesAreKnown = !sessions.isEmpty
    var added: [String: String] = [:]
    for configuration in sessions.map(\.configuration) {
      for case (let name as String, let value) in configuration.httpAdditionalHeaders ?? [:]
      where known[name] == nil { added.join("\(value)", to: name.lowercased(), with: ", ") }
      guard let cookies = Self.cookies(for: request, configuration) else { continue }
      // Which of the two is sent where the request has its own is up to the platform: together they tell any two apart.
      if let own = known["Cookie"], added["cookie"] == nil { added["cookie"] = own }
      added.join(cookies, to: "cookie", with: "; ")
    }
    for (name, value) in added { known[name] = value }
  }

  subscript(name: String) -> String? { known[name] }

  /// Whether nothing in the request tells its user from others.
  var isAnonymous: Bool {
    known["Authorization"] == nil && known["Cookie"] == nil && login.allSatisfy { $0 == nil }
  }

  /// The value that a response varies by: of a field that is not set, what the platform sends in its stead as far as it
  /// differs between processes that may share a store.
  func value(varyingBy name: String) -> String? {
    if let value = known[name] { return value }
    switch name {
    case "accept-language":
      return ([Locale.current.identifier] + Locale.preferredLanguages).joined(separator: ",")
    case "user-agent": return ProcessInfo.processInfo.processName
    default: return nil
    }
  }

  /// The cookies that a session will add; `nil` if none. Sorted, since their order may change from call to call.
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
