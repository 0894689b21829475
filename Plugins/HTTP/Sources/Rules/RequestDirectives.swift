import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The caching directives of a request, from its `Cache-Control` field and its `cachePolicy`.
struct RequestDirectives: Equatable, Sendable {
  /// Whether a stored response must not be used, not even for validation.
  var ignoresStored = false
  /// Whether a stored response must be validated first.
  var noCache = false
  /// Whether the response must not be stored.
  var noStore = false
  /// Whether only a stored response is acceptable.
  var onlyIfCached = false
  /// The maximum age of a response, in seconds.
  var maxAge: Double = .infinity
  /// The maximum staleness of a response, in seconds.
  var maxStale: Double = 0
  /// The minimum time for which a response must stay fresh, in seconds.
  var minFresh: Double = 0
  /// The maximum staleness if the origin fails, in seconds; `nil` if not specified.
  var staleIfError: Double?
  /// Whether the request limits the age, the staleness or the freshness of a response.
  var limitsAge: Bool { maxAge < .infinity || maxStale > 0 || minFresh > 0 }

  init(_ control: CacheControl, policy: URLRequest.CachePolicy = .useProtocolCachePolicy) {
    noCache = control.has("no-cache")
    noStore = control.has("no-store")
    onlyIfCached = control.has("only-if-cached")
    maxAge = control.seconds("max-age") ?? .infinity
    maxStale = control.secondsOrAny("max-stale") ?? 0
    minFresh = control.seconds("min-fresh") ?? 0
    staleIfError = control.seconds("stale-if-error")
    switch policy {
    case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData: ignoresStored = true
    case .reloadRevalidatingCacheData: noCache = true
    case .returnCacheDataElseLoad: maxStale = .infinity
    case .returnCacheDataDontLoad:
      maxStale = .infinity
      onlyIfCached = true
    case .useProtocolCachePolicy: break
    @unknown default: break
    }
  }
}
