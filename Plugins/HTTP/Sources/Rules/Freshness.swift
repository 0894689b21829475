import Foundation

/// Decides how a stored response may be used for a request (RFC 9111, 4.2; RFC 5861; RFC 8246).
struct Freshness: Equatable, Sendable {
  enum Use: Equatable {
    /// Return the stored response.
    case serve
    /// Return the stored response, and revalidate it in the background.
    case serveAndRevalidate
    /// Validate the stored response with the origin first.
    case revalidate
    /// Request a new response, without validating the stored one.
    case replace
  }

  let age: Double
  let lifetime: Double
  private let control: CacheControl
  private let isShared: Bool

  init(of stored: StoredResponse, at now: Date, guessingUpTo limit: Double, isShared: Bool = false) {
    age = stored.age(at: now)
    lifetime = stored.lifetime(guessingUpTo: limit, isShared: isShared)
    control = stored.control
    self.isShared = isShared
  }

  /// The seconds since the response became stale; negative while it is fresh.
  var staleness: Double { age - lifetime }
  var isFresh: Bool { staleness < 0 }

  /// Whether the origin forbids using the response without validation once it is stale.
  private var mustBeConfirmed: Bool {
    control.has("must-revalidate") || control.has("no-cache")
      || isShared && (control.has("proxy-revalidate") || control.has("s-maxage"))
  }

  func use(for request: RequestDirectives) -> Use {
    if request.ignoresStored { return .replace }
    if request.noCache || control.has("no-cache") { return .revalidate }
    if isFresh {
      // An immutable response need not be validated on a reload.
      let isYoungEnough = age <= request.maxAge || control.has("immutable")
      return isYoungEnough && -staleness >= request.minFresh ? .serve : .revalidate
    }
    if mustBeConfirmed || age > request.maxAge || request.minFresh > 0 { return .revalidate }
    if staleness <= request.maxStale, request.maxStale > 0 { return .serve }
    if let window = control.seconds("stale-while-revalidate"), staleness <= window, window > 0 {
      return .serveAndRevalidate
    }
    return .revalidate
  }

  /// Whether the stored response may be returned because the origin failed.
  ///
  /// - Parameters:
  ///   - allowance: The allowed staleness in seconds if neither the response nor the request specifies it.
  ///   - unreachable: The allowed staleness if the origin could not be reached (RFC 9111, 4.2.4). Ignored for a request
  ///     that limits the age or the staleness of a response.
  func mayStandIn(for request: RequestDirectives, allowance: Double, unreachable: Double = 0) -> Bool {
    if mustBeConfirmed || request.noCache || request.ignoresStored { return false }
    let unsaid = request.limitsAge ? allowance : max(allowance, unreachable)
    let window = control.seconds("stale-if-error") ?? request.staleIfError ?? unsaid
    return window > 0 && staleness <= window
  }
}
