import Foundation

/// A response as it is stored, with what is needed to tell its age (RFC 9111, 4.2.3).
struct StoredResponse: Codable, Equatable, Sendable {
  let status: Int
  var fields: HeaderFields
  let body: Data
  /// When the request was sent that brought the fields.
  var requestTime: Date
  /// When the response came that brought the fields.
  var responseTime: Date
  /// Which requests it answers, as `Selection` tells.
  var selection: Data
  /// Whose request brought the cookies that the response sets, as `Selection` tells; `nil` if it sets none.
  var cookieOwner: Data?

  var control: CacheControl { CacheControl(fields["Cache-Control"]) }

  /// When the origin made it, as far as it says.
  var date: Date { HTTPDate.parse(fields["Date"], now: responseTime) ?? responseTime }

  /// The fields that make a request ask whether this response still holds; empty if it cannot be asked.
  var validators: [String: String] {
    var fields: [String: String] = [:]
    fields["If-None-Match"] = self.fields["ETag"]
    fields["If-Modified-Since"] = self.fields["Last-Modified"]
    return fields
  }

  /// Seconds since the origin made or confirmed it.
  func age(at now: Date) -> Double {
    let apparent = max(0, responseTime.timeIntervalSince(date))
    let delay = max(0, responseTime.timeIntervalSince(requestTime))
    // Of several ages the first counts (RFC 9111, 5.1): the others are those of caches before.
    let told = fields["Age"]?.split(separator: ",", omittingEmptySubsequences: false).first
    let corrected = CacheControl.seconds(told?.trimming(" \t")) + delay
    // A clock that was set back must not make a response younger than it was.
    return max(apparent, corrected) + max(0, now.timeIntervalSince(responseTime))
  }

  /// Whether the origin itself says for how long it is fresh.
  var hasExplicitLifetime: Bool { control.has("max-age") || fields["Expires"] != nil }

  /// For how many seconds of its age it is fresh (RFC 9111, 4.2.1 and 4.2.2). A private cache does not heed `s-maxage`.
  ///
  /// - Parameter limit: The most that is guessed where the origin says nothing.
  func lifetime(guessingUpTo limit: Double) -> Double {
    let control = control
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

  /// Whether the cache knows what a status asks of caches (RFC 9110, 15), as `must-understand` demands.
  static func isUnderstood(_ status: Int) -> Bool {
    isGuessable(status) || [201, 202, 205, 302, 303, 305, 307, 421, 422, 426].contains(status)
      || 400...417 ~= status || 500...505 ~= status
  }

  /// Whether a cache may guess how long a response of this status is fresh (RFC 9110, 15.1).
  static func isGuessable(_ status: Int) -> Bool {
    [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501].contains(status)
  }
}
