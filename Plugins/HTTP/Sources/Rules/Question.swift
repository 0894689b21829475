import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A request that the cache may answer, in parsed form.
struct Question: Sendable {
  /// The request as the caller made it. It is sent unchanged: the session adds its own fields.
  let request: URLRequest
  /// The known header fields that the origin will receive.
  let fields: RequestFields
  /// The store's key for its response.
  let target: String
  let directives: RequestDirectives
  /// The requested part of the response; `nil` for all of it.
  let range: ByteRange?

  /// Parses a request. Returns `nil` if the cache cannot answer it: a method other than `GET`, several ranges, or a
  /// conditional request.
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

  /// The key of in-flight loads. Only requests with equal fields share a load, since the response's `Vary` is unknown
  /// before it arrives.
  var identity: RequestIdentity { RequestIdentity(request, fields: fields.known) }

  private static let passing = [
    "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range",
  ]

  /// Returns the request to the origin, which bypasses the session's cache. It validates `stored`, if given.
  func forOrigin(validating stored: StoredResponse?) -> URLRequest {
    var request = request
    request.cachePolicy = .reloadIgnoringLocalCacheData
    for (name, value) in stored?.validators ?? [:] { request.setValue(value, forHTTPHeaderField: name) }
    return request
  }

  /// The request to the origin for all of the body, also if this request is for a part.
  var forWholeBody: Request {
    var request = forOrigin(validating: nil)
    request.setValue(nil, forHTTPHeaderField: "Range")
    return .urlRequest(request)
  }

  /// Whether a stored response may answer this request as far as `Vary` is concerned.
  func matches(_ stored: StoredResponse) -> Bool {
    Selection.hash(of: fields, for: stored.fields) == stored.selection
  }
}
