import Foundation
import StrataCore

/// Which requests a stored response answers: those with the same values of the fields that its `Vary` names (RFC 9111,
/// 4.1).
///
/// It is stored as a SHA-256, so that a cache on a disk tells nobody what was in these fields.
enum Selection {
  /// The hash of what distinguishes a request; `nil` if a response with such a `Vary` answers no other request.
  ///
  /// Credentials always do, lest one user be shown what was meant for another, and cookies do where the response is
  /// `private`. A response that varies by cookies which are out of sight answers only requests that set the field.
  static func hash(of request: RequestFields, for response: HeaderFields) -> Data? {
    var names = Set(response.names(in: "Vary"))
    if names.contains("*") { return nil }
    if names.contains("cookie"), request["Cookie"] == nil, !request.cookiesAreKnown { return nil }
    names.insert("authorization")
    if request.cookiesAreUsers, let control = response["Cache-Control"],
      control.lowercased().contains("private"), CacheControl(control).has("private")
    {
      names.insert("cookie")
    }
    var text = ""
    for name in names.sorted() {
      guard let value = request.value(varyingBy: name) else { continue }
      // White space around commas and at the ends means nothing, and nor does the case of languages and codings.
      let members = value.split(separator: ",", omittingEmptySubsequences: false).map { $0.trimming(" \t") }
      let joined = members.joined(separator: ",")
      text += "\(name):\(inAnyCase.contains(name) ? joined.lowercased() : joined)\n"
    }
    for part in request.login { text += "\(part ?? "")\n" }
    return Data(SHA256.hash(Array(text.utf8)))
  }

  /// The hash of what identifies a user, as far as fields tell: credentials and cookies.
  static func owner(of request: RequestFields) -> Data {
    let parts = [request["Authorization"], request["Cookie"]] + request.login
    return Data(SHA256.hash(Array(parts.map { $0 ?? "" }.joined(separator: "\n").utf8)))
  }

  private static let inAnyCase: Set = ["accept-charset", "accept-encoding", "accept-language"]
}
