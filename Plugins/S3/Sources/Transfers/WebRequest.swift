#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A request as it is sent, with its signature.
struct WebRequest: Sendable {
  var method = "GET"
  var url: String
  var fields: [(name: String, value: String)] = []
  var body: Data?
  /// Whether the request may be sent again, without asking the caller, if a kept connection turns out to be lost.
  var isRepeatable = true
  /// How many redirections are followed.
  var redirections = 0
  /// The time after which the request fails, even if there is progress.
  var duration: Duration?
}

/// A complete response of a server.
struct WebResponse: Sendable {
  let status: Int
  /// The header fields by their names in lowercase letters.
  let fields: [String: String]
  /// The body, or `nil` if it exceeded the limit.
  let data: Data?
}
