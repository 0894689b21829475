import Foundation

/// A stored response, with the times that determine its age (RFC 9111, 4.2.3).
struct StoredResponse: Codable, Equatable, Sendable {
  let status: Int
  var fields: HeaderFields
  /// The body; empty if it is stored by itself and has not been read.
  var body: Data
  /// The time at which the request for these fields was sent.
  var requestTime: Date
  /// The time at which these fields were received.
  var responseTime: Date
  /// The hash that identifies the requests that the response answers; see `Selection`.
  var selection: Data
  /// The hash of the user whose request received the response's cookies; see `Selection`. `nil` if the response sets no
  /// cookies.
  var cookieOwner: Data?
  /// Where the body is stored, if it is an entry of its own.
  var detached: DetachedBody?

  /// The number of bytes of the body.
  var bodyCount: Int { detached?.length ?? body.count }

  var control: CacheControl { CacheControl(fields["Cache-Control"]) }

  /// The date at which the origin generated the response, or at which it was received if `Date` is missing or invalid.
  var date: Date { HTTPDate.parse(fields["Date"], now: responseTime) ?? responseTime }

  /// The fields of a conditional request that validates this response; empty if it cannot be validated.
  var validators: [String: String] {
    var fields: [String: String] = [:]
    fields["If-None-Match"] = self.fields["ETag"]
    fields["If-Modified-Since"] = self.fields["Last-Modified"]
    return fields
  }

  /// Returns the seconds since the origin generated or validated the response.
  func age(at now: Date) -> Double {
    let apparent = max(0, responseTime.timeIntervalSince(date))
    let delay = max(0, responseTime.timeIntervalSince(requestTime))
    // Of several ages only the first is used (RFC 9111, 5.1).
    let told = fields["Age"]?.split(separator: ",", omittingEmptySubsequences: false).first
    let corrected = CacheControl.seconds(told?.trimming(" \t")) + delay
    // A clock that was set back must not make a response younger.
    return max(apparent, corrected) + max(0, now.timeIntervalSince(responseTime))
  }

  /// Whether the origin specifies the lifetime of the response.
  var hasExplicitLifetime: Bool { control.has("max-age") || fields["Expires"] != nil }

  /// Returns the age in seconds up to which the response is fresh (RFC 9111, 4.2.1 and 4.2.2). A private cache ignores
  /// `s-maxage`; in a shared cache it precedes all others.
  ///
  /// - Parameter limit: The maximum of the heuristic lifetime, which applies if the origin specifies none.
  func lifetime(guessingUpTo limit: Double, isShared: Bool = false) -> Double {
    let control = control
    if isShared, let seconds = control.seconds("s-maxage") { return seconds }
    if let seconds = control.seconds("max-age") { return seconds }
    if let expires = fields["Expires"] {
      guard let expires = HTTPDate.parse(expires, now: responseTime) else { return 0 }
      return max(0, expires.timeIntervalSince(date))
    }
    guard Self.isGuessable(status) || control.has("public"),
      let modified = HTTPDate.parse(fields["Last-Modified"], now: responseTime)
    else { return 0 }
    return min(limit, max(0, date.timeIntervalSince(modified)) / 10)
  }

  /// Whether the cache implements the caching rules of a status (RFC 9110, 15), which `must-understand` requires.
  static func isUnderstood(_ status: Int) -> Bool {
    isGuessable(status) || [201, 202, 205, 302, 303, 305, 307, 421, 422, 426].contains(status)
      || 400...417 ~= status || 500...505 ~= status
  }

  /// Whether a cache may use a heuristic lifetime for this status (RFC 9110, 15.1).
  static func isGuessable(_ status: Int) -> Bool {
    [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501].contains(status)
  }
}

/// A large body, which is stored as an entry of its own: it can be read a part at a time, and is not written again when
/// the response is validated or another variant of it is stored.
struct DetachedBody: Codable, Equatable, Sendable {
  let key: String
  let length: Int
}
