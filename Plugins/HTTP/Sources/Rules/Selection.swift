import Foundation
import StrataCore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Which requests a stored response answers: those with the same values of the fields that its `Vary` names (RFC 9111, 4.1).
///
/// It is stored as a SHA-256, so that a cache on a disk tells nobody what was in these fields.
enum Selection {
  /// The hash of what distinguishes a request; `nil` if a response with such a `Vary` answers no other request.
  ///
  /// Credentials always do, lest one user be shown what was meant for another. Cookies that the session adds on its
  /// own are out of sight, so a response that varies by them answers only requests that set the field themselves.
  static func hash(of request: URLRequest, for response: HeaderFields) -> Data? {
    let names = Set(response.names(in: "Vary")).union(["authorization"])
    if names.contains("*") { return nil }
    if names.contains("cookie"), request.value(forHTTPHeaderField: "Cookie") == nil { return nil }
    var text = ""
    for name in names.sorted() {
      guard let value = request.value(forHTTPHeaderField: name) else { continue }
      // White space around commas and at the ends means nothing.
      let members = value.split(separator: ",", omittingEmptySubsequences: false).map { $0.trimming(" \t") }
      text += "\(name):\(members.joined(separator: ","))\n"
    }
    for part in [request.url?.user(), request.url?.password()] { text += "\(part ?? "")\n" }
    return Data(SHA256.hash(Array(text.utf8)))
  }
}
