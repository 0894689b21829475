import Foundation
import StrataCore

/// Identifies the requests that a stored response answers: requests with equal values of the fields in its `Vary` (RFC
/// 9111, 4.1).
///
/// It is stored as a SHA-256, so that a cache on disk does not reveal these values.
enum Selection {
  /// Returns the hash of the fields that select a response, or `nil` if the response's `Vary` allows no other request.
  ///
  /// Credentials are always included, so that no user receives another's response. Cookies are included if the response
  /// is `private`, and in a shared cache unless it is `public` or has `s-maxage`. If a response varies by cookies and
  /// they are not all known, it answers only requests that set the field.
  static func hash(of request: RequestFields, for response: HeaderFields) -> Data? {
    var names = Set(response.names(in: "Vary"))
    if names.contains("*") { return nil }
    if names.contains("cookie"), request["Cookie"] == nil, !request.cookiesAreKnown { return nil }
    names.insert("authorization")
    if areUsers(request, response["Cache-Control"]) { names.insert("cookie") }
    var text = ""
    for name in names.sorted() {
      guard let value = request.value(varyingBy: name) else { continue }
      // White space around commas is not significant, nor is the case of languages and codings.
      let members = value.split(separator: ",", omittingEmptySubsequences: false).map { $0.trimming(" \t") }
      let joined = members.joined(separator: ",")
      text += "\(name):\(inAnyCase.contains(name) ? joined.lowercased() : joined)\n"
    }
    for part in request.login { text += "\(part ?? "")\n" }
    return Data(SHA256.hash(Array(text.utf8)))
  }

  /// Whether the cookies of a request select the response.
  private static func areUsers(_ request: RequestFields, _ field: String?) -> Bool {
    if request.isShared {
      let control = CacheControl(field)
      return !control.has("public") && !control.has("s-maxage")
    }
    guard request.cookiesAreUsers, let field, field.lowercased().contains("private") else { return false }
    return CacheControl(field).has("private")
  }

  /// Returns the hash of the fields that identify a user: credentials and cookies.
  static func owner(of request: RequestFields) -> Data {
    let parts = [request["Authorization"], request["Cookie"]] + request.login
    return Data(SHA256.hash(Array(parts.map { $0 ?? "" }.joined(separator: "\n").utf8)))
  }

  private static let inAnyCase: Set = ["accept-charset", "accept-encoding", "accept-language"]
}
