import Foundation

/// What may be done with a stored response at a moment, for a request (RFC 9111, 4.2; RFC 5861; RFC 8246).
struct Freshness: Equatable, Sendable {
  enum Use: Equatable {
    /// It is the answer.
    case serve
    /// It is the answer, and the origin is to be asked meanwhile.
    case serveAndRevalidate
    /// The origin is to be asked whether it still holds.
    case revalidate
    /// The origin is to be asked as if nothing were stored.
    case replace
  }

  let age: Double
  let lifetime: Double
  private let control: CacheControl

  init(of stored: StoredResponse, at now: Date, guessingUpTo limit: Double) {
    age = stored.age(at: now)
    lifetime = stored.lifetime(guessingUpTo: limit)
    control = stored.control
  }

  /// For how long it has been stale; negative while it is fresh.
  var staleness: Double { age - lifetime }
  var isFresh: Bool { staleness < 0 }

  /// Whether the origin forbids to use it without asking, now that it is stale.
  private var mustBeConfirmed: Bool { control.has("must-revalidate") || control.has("no-cache") }

  func use(for request: RequestDirectives) -> Use {
    if request.ignoresStored { return .replace }
    if request.noCache || control.has("no-cache") { return .revalidate }
    if isFresh {
      // What never changes need not be asked about when a page is reloaded.
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

  /// Whether it may be used because the origin fails.
  ///
  /// - Parameters:
  ///   - allowance: For how long it may have been stale where neither side says anything about it.
  ///   - unreachable: The same where the origin could not be reached at all (RFC 9111, 4.2.4). Not for a request that
  ///     says how old or how stale a response may be.
  func mayStandIn(for request: RequestDirectives, allowance: Double, unreachable: Double = 0) -> Bool {
    if mustBeConfirmed || request.noCache || request.ignoresStored { return false }
    let unsaid = request.limitsAge ? allowance : max(allowance, unreachable)
    let window = control.seconds("stale-if-error") ?? request.staleIfError ?? unsaid
    return window > 0 && staleness <= window
  }
}
