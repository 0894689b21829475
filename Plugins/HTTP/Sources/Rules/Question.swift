import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A request that a cache may answer, seen as one.
struct Question: Sendable {
  /// The request as the caller made it. It is sent so: the session adds its own fields itself.
  let request: URLRequest
  /// The header fields that the origin will see, as far as they can be known.
  let fields: RequestFields
  /// What its answer is stored under.
  let target: String
  let directives: RequestDirectives
  /// The part of the response that is asked for; `nil` for all of it.
  let range: ByteRange?

  /// `nil` for what goes past a cache: other methods than `GET`, several parts of a response at once, and requests that
  /// ask on their own whether something has changed.
  init?(_ request: URLRequest, fields: RequestFields) {
    guard request.httpMethod ?? "GET" == "GET", request.httpBody == nil, request.httpBodyStream == nil,
      let target = Target.key(of: request.url), Self.passing.allSatisfy({ fields[$0] == nil })
    else { return nil }
    range = fields["Range"].flatMap(ByteRange.init)
    if fields["Range"] != nil, range == nil { return nil }
    self.request = request
    self.fields = fields
    self.target = target
    directives = RequestDirectives(CacheControl(fields["Cache-Control"]), policy: request.cachePolicy)
  }

  /// What in-flight loads are shared by: only requests that are the same in every field wait for one load, since what
  /// the response varies by is not known before it comes.
  var identity: RequestIdentity { RequestIdentity(request, fields: fields.known) }

  private static let passing = [
    "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range",
  ]

  /// The request for the origin, with a question about what is stored, past any cache of a session.
  func forOrigin(validating stored: StoredResponse?) -> URLRequest {
    var request = request
    request.cachePolicy = .reloadIgnoringLocalCacheData
    for (name, value) in stored?.validators ?? [:] { request.setValue(value, forHTTPHeaderField: name) }
    return request
  }

  /// Whether a stored response may answer it, as far as `Vary` is concerned.
  func matches(_ stored: StoredResponse) -> Bool {
    Selection.hash(of: fields, for: stored.fields) == stored.selection
  }
}
